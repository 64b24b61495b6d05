import { isolated } from '../../../../format/direction.ts'
import { formatDay } from '../../../../format/moments.ts'
import { type Fact, type Letter, type Shop, subjectLine } from './letter.ts'

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
