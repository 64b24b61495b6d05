import { isolated } from '../../../../format/direction.ts'
import { type Letter, type Shop, subjectLine, words } from './letter.ts'

export interface FormConfirmationData {
  form: string
  confirmUrl: string
}

export function formConfirmationLetter({ form, confirmUrl }: FormConfirmationData, { name }: Shop): Letter {
  return {
    subject: subjectLine(`Please confirm: ${isolated(form)}`),
    preview: `Confirm with one click that it was you.`,
    heading: 'Please confirm your e-mail address',
    parts: [
      words(
        `Your address was entered in the form “${isolated(form)}” from ${isolated(name)}. Please confirm that it was you.`,
      ),
      { kind: 'link', label: 'Confirm my e-mail address', url: confirmUrl },
      words('If it was not you, ignore this message. You will not receive anything else because of this form.'),
    ],
  }
}
