import { ERRORS, type ErrorCode } from '../../contract/declarations/errors.ts'
import { exampleError } from '../../contract/documents/error-responses.ts'
import { ERROR_ADVICE } from './error-advice.ts'
import { fence, type PageSource, plainWords } from './page.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** The page of every error code, to which `error.doc_url` leads. */
export function errorPages(docsUrl: string): PageSource[] {
  return CODES.map((code) => ({
    path: `/docs/errors/${code}`,
    title: code,
    description: plainWords(ERRORS[code][2]),
    section: 'Errors' as const,
    body: () => bodyOf(code, docsUrl),
  }))
}

function bodyOf(code: ErrorCode, docsUrl: string): string {
  const [status, type, when] = ERRORS[code]
  return [
    `HTTP status ${status}, type \`${type}\`.`,
    '## What it means',
    when,
    '## An example',
    fence('json', JSON.stringify(exampleError(code, docsUrl), null, 2)),
    '## What to do',
    ERROR_ADVICE[code],
    '[All errors](/docs/errors)',
  ].join('\n\n')
}

/** Every code with its status and meaning, as a table. */
export function errorTable(): string {
  const rows = CODES.map((code) => {
    const [status, , when] = ERRORS[code]
    return `| [\`${code}\`](/docs/errors/${code}) | ${status} | ${when} |`
  })
  return ['| Code | Status | When |', '|---|---|---|', ...rows].join('\n')
}
