import { isolated } from '../../../../format/direction.ts'
import { formatDay } from '../../../../format/moments.ts'
import { type Fact, type Letter, type Shop, subjectLine, words } from './letter.ts'

export interface FormNoticeData {
  form: string
  submittedAt: string
  /** In the order of the form's fields. */
  answers: Fact[]
}

export function formNoticeLetter({ form, submittedAt, answers }: FormNoticeData, { timeZone }: Shop): Letter {
  const day = formatDay(submittedAt, timeZone)
  return {
    subject: subjectLine(`New submission: ${isolated(form)}`),
    preview: `Answered on ${day}`,
    heading: form,
    parts: [{ kind: 'facts', rows: [{ label: 'Date', value: day }, ...answers] }],
  }
}

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
