import { cut } from '../../../../contract/values/values.ts'
import { isolated } from '../../../../format/direction.ts'
import { type Letter, subjectLine, words } from './letter.ts'

export interface TaskResultData {
  id: string
  task: string
  status: string
  summary: string | null
  error: string | null
  question: string | null
}

/** The maximum number of the result's characters in a letter; the run contains all of them. */
const MAX_WORDS = 5_000

const ENDINGS: Record<string, string> = {
  completed: 'is done',
  failed: 'failed',
  canceled: 'was canceled',
  needs_input: 'needs you',
}

export function taskResultLetter({ id, task, status, summary, error, question }: TaskResultData): Letter {
  const heading = subjectLine(`${isolated(task)} ${ENDINGS[status] ?? status}`)
  const texts = [question, error, summary].filter((text) => text !== null && text.trim() !== '')
  const parts = texts.map((text) => words(cut(text!, MAX_WORDS)))
  return {
    subject: heading,
    preview: cut(texts[0] ?? heading, 200),
    heading,
    parts: [...parts, { kind: 'facts', rows: [{ label: 'Run', value: id }] }],
  }
}

export interface TaskFailureData {
  task: string
  error: string | null
  /** The text that the run printed before it failed. */
  summary: string | null
  url: string
}

/** The maximum number of printed characters in a letter; the run contains all of them. */
const MAX_PRINTED = 2_000

export function taskFailureLetter({ task, error, summary, url }: TaskFailureData): Letter {
  const heading = subjectLine(`${isolated(task)} failed`)
  const why = error ?? 'The run did not say why.'
  const text = summary?.trim() ?? ''
  const printed = text === '' ? [] : [words('It had printed:'), words(cut(text, MAX_PRINTED))]
  return {
    subject: heading,
    preview: cut(why, 200),
    heading,
    parts: [
      words(why),
      ...printed,
      { kind: 'link', label: 'View the run', url },
      words(
        'If more of its runs fail, we will wait at least a day before e-mailing you about this task again. The account’s settings can turn these e-mails off.',
      ),
    ],
  }
}
