import { ERRORS, type ErrorCode, errorType } from '../../contract/declarations/errors.ts'
import { exampleError } from '../../contract/documents/error-responses.ts'
import { fence, type PageSource, plainWords } from './page.ts'

/** Advice for clients that get an error, in Markdown. */
const ERROR_ADVICE: Record<ErrorCode, string> = {
  parameter_missing:
    'Send the parameter named in `param`. In a body it must be present and not null. The operation’s page marks required parameters.',
  parameter_invalid:
    'Read `message`: it gives the value you sent and what is allowed. For a body, `errors` lists every field with the wrong JSON type, so you can fix all of them at once.',
  parameter_unknown:
    'Correct the name of the query parameter; the message suggests the closest match. Unknown parameters are refused because a misspelled filter would otherwise return every row. Do not send body fields in the query.',
  malformed_request:
    'The service received a request that is not valid HTTP. Use an HTTP library instead of writing requests by hand, and check any proxies in between.',
  invalid_json:
    'Send one JSON object, such as `{"name": "Tea"}`: not an array or bare text, with nothing after the last brace, and not nested too deeply. Operations without fields also accept an empty body.',
  invalid_state:
    'Retrieve the resource and check `allowed_actions`, or see the states on its resource page. The action may already have been done, in which case there is nothing left to do.',
  resource_in_use:
    'The message says what depends on it. Delete or change that first, or archive the resource instead if it has that status.',
  authentication_required:
    'Send the header `Authorization: Bearer <API token>`. Create tokens in the dashboard under Developers, Tokens; each is shown once. A token stops working when it is deleted or its user leaves the account. See [security](/docs/security#api-tokens).',
  insufficient_credits:
    'The balance is `credit_balance` of the [account](/docs/api/retrieve_account). Nothing was done and nothing was charged, so you can send the same request again once there are enough credits.',
  permission_denied:
    'Use a token whose user has the role named in the message, or a token with the right to write. A propose token writes through a [plan](/docs/plans), not through REST.',
  resource_missing:
    'Check the id, and that your token belongs to the right account: resources of other accounts get the same response. The resource may also have been deleted. If the whole path is unknown, look it up in the [reference](/docs/api).',
  method_not_allowed: 'Use one of the methods in the `Allow` header. Changes are `PATCH`; the API has no `PUT`.',
  request_timeout:
    'Send the whole request without long pauses. On a slow connection, send smaller bodies. Upload files directly to their `upload_url`, not through the API.',
  idempotency_key_in_use:
    'Wait for the seconds in `Retry-After` and send the same request again to get the first request’s response. See [idempotency](/docs/idempotency).',
  request_too_large:
    'Split the work into several requests, or do it in a [program](/docs/programs), where each call counts separately. Do not send files in bodies; [create a file](/docs/api/create_file) and upload to its `upload_url`.',
  unsupported_media_type: 'Send `Content-Type: application/json` and the body uncompressed, in UTF-8.',
  idempotency_key_reused:
    'Use a new key for each action, and reuse a key only to repeat exactly the same request. See [idempotency](/docs/idempotency).',
  validation_failed:
    '`errors` maps each invalid field to its messages, which you can show to people; nested fields have dotted names such as `line_items.0.quantity`. Fix all of them and send the request again.',
  rate_limit_exceeded:
    'Wait for the seconds in `Retry-After`. The `RateLimit` header of every response says what is left, so a program can slow down before it is refused. See [rate limits](/docs/rest#rate-limits).',
  headers_too_large:
    'Shorten the URL or the headers. Split long lists of ids in a filter into several requests, or use a [program](/docs/programs).',
  internal_error:
    'Reads are safe to retry. Retry a write only with the same [Idempotency-Key](/docs/idempotency). If it happens again, report the request id in the message; the service’s log has the cause under that id.',
  upstream_failed:
    'An external site or service did not respond, or its response could not be used. Check the URL you sent, and try again later.',
  webhook_delivery_failed:
    'Your endpoint must respond with a status from 200 to 299 in time. The message says how it responded instead. See [webhooks](/docs/webhooks#respond-first-then-work).',
  overloaded:
    'Wait for the seconds in `Retry-After` and send the request again. If many clients write the same records, use one [program](/docs/programs) instead.',
  storage_full:
    'For the operator: free space on the disk that holds `DATA_DIR`, or of the database server. Writes work again as soon as there is space; a restart is not needed.',
  storage_unavailable:
    'Nothing was saved, so send the request again after the seconds in `Retry-After`. For the operator: check that PostgreSQL is running or, without it, that the disk is mounted and writable. The service’s log and `/readyz` say what is wrong.',
  outcome_unknown:
    'Send a request that had an [Idempotency-Key](/docs/idempotency) again with the same key: it is carried out only if it was not before. Otherwise look whether the change is there before you repeat it. This happens only when the database is away for longer than the request waits for it.',
}

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** Returns a page for each error code. The field `error.doc_url` of API errors links to it. */
export function errorPages(docsUrl: string): PageSource[] {
  return CODES.map((code) => ({
    path: `/docs/errors/${code}`,
    title: code,
    description: plainWords(ERRORS[code][1]),
    section: 'Errors' as const,
    body: () => bodyOf(code, docsUrl),
  }))
}

function bodyOf(code: ErrorCode, docsUrl: string): string {
  const [status, when] = ERRORS[code]
  return [
    `HTTP status ${status}, type \`${errorType(code)}\`.`,
    '## What it means',
    when,
    '## An example',
    fence('json', JSON.stringify(exampleError(code, docsUrl), null, 2)),
    '## What to do',
    ERROR_ADVICE[code],
    '[All errors](/docs/errors)',
  ].join('\n\n')
}

export function errorTable(): string {
  const rows = CODES.map((code) => {
    const [status, when] = ERRORS[code]
    return `| [\`${code}\`](/docs/errors/${code}) | ${status} | ${when} |`
  })
  return ['| Code | Status | When |', '|---|---|---|', ...rows].join('\n')
}
