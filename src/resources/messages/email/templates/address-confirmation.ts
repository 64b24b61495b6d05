import { isolated } from '../../../../format/direction.ts'
import { type Letter, type Shop, subjectLine, words } from './letter.ts'

export interface AddressConfirmationData {
  form: string
  confirmUrl: string
}

export function addressConfirmationLetter({ form, confirmUrl }: AddressConfirmationData, { name }: Shop): Letter {
  return {
    subject: subjectLine(`Receive form submissions from ${isolated(name)}?`),
    preview: `${isolated(name)} wants to notify you of form submissions.`,
    heading: 'Please confirm this address',
    parts: [
      words(`${isolated(name)} wants to notify you of each submission to its forms, such as “${isolated(form)}”.`),
      { kind: 'link', label: 'Confirm this address', url: confirmUrl },
      words(
        'The link works for 7 days. If you were not expecting this, ignore this message; you will not receive notifications.',
      ),
    ],
  }
}
