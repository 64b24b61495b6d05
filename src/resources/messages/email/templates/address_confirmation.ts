import { type Letter, type Shop, subjectLine, words } from './letter.ts'

/** A form names the address that this goes to for notifications. */
export interface AddressConfirmationData {
  /** The form's name. */
  form: string
  /** The page where the owner of the address agrees. */
  confirmUrl: string
}

export function addressConfirmationLetter({ form, confirmUrl }: AddressConfirmationData, { name }: Shop): Letter {
  return {
    subject: subjectLine(`Get the submissions of ${name}?`),
    preview: `${name} wants to send you what people submit.`,
    heading: 'Please confirm this address',
    parts: [
      words(`${name} wants to send you a message about each submission of its forms, such as “${form}”.`),
      { kind: 'link', label: 'Confirm this address', url: confirmUrl },
      words(
        'The link works for 7 days. If you do not know what this is about, ignore this message: nothing will be sent to you.',
      ),
    ],
  }
}
