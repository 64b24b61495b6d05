import type { ErrorCode } from '../../contract/errors.ts'

/** What to do about each error, in Markdown. */
export const ERROR_ADVICE: Record<ErrorCode, string> = {
  parameter_missing:
    'Send the parameter that `param` names. In a body it must be there and not be null. The page of the operation marks what is required.',
  parameter_invalid:
    'Read `message`: it says what the value was and what would be right. For a body, `errors` lists every field whose JSON type is wrong, so that you can mend all of them at once.',
  parameter_unknown:
    'Correct the name of the query parameter; the message proposes the nearest one. Unknown parameters are refused because a misspelt filter would otherwise answer with every row. Fields of a body do not belong into the query.',
  malformed_request:
    'Something between your program and the service wrote a request that is not HTTP. Use a library for HTTP rather than writing requests by hand, and look at proxies on the way.',
  invalid_json:
    'Send one JSON object, such as `{"name": "Tea"}`: no array, no bare text, nothing after the last brace, and not nested too deeply. An operation without fields takes an empty body too.',
  invalid_state:
    'Retrieve the resource and look at `allowed_actions`, or at the states on the page of its resource. Often somebody else has done it already, and nothing is left to do.',
  resource_in_use:
    'The message says what depends on it. Delete or change that first, or archive the resource instead, where it has such a status.',
  authentication_required:
    'Send the header `Authorization: Bearer <API token>`. Tokens are made in the dashboard under Developers, Tokens, and shown once. A token that was deleted, or whose user has left the account, no longer works. See [security](/docs/security#api-tokens).',
  insufficient_credits:
    'The balance is `credit_balance` of the [account](/docs/api/retrieve_account). Nothing was done and nothing was charged, so the same request can be sent again once there are credits.',
  permission_denied:
    'Use a token of a user with the role that the message names, or a token with the right to write. A token that may only propose writes through a [plan](/docs/plans), not through REST.',
  resource_missing:
    'Check the id, and that your token belongs to the account that has it: what another account has is answered in the same way. It may also have been deleted. When a whole path is unknown, look it up in the [reference](/docs/api).',
  method_not_allowed: 'Use one of the methods in the `Allow` header. Changes are `PATCH`; the API has no `PUT`.',
  request_timeout:
    'Send the whole request without long pauses. On a slow connection, send smaller bodies; files do not go through the API but straight to their `upload_url`.',
  idempotency_key_in_use:
    'Wait for the seconds in `Retry-After` and send the same request again: you then get the answer of the first. See [idempotency](/docs/idempotency).',
  request_too_large:
    'Split the work into several requests, or do it in a [program](/docs/programs), whose calls are counted one by one. Files do not belong into bodies; [create a file](/docs/api/create_file) and upload to its `upload_url`.',
  unsupported_media_type: 'Send `Content-Type: application/json` and the body uncompressed, in UTF-8.',
  idempotency_key_reused:
    'Use a fresh key for each thing that should happen, and the same key only to repeat exactly the same request. See [idempotency](/docs/idempotency).',
  validation_failed:
    '`errors` maps each invalid field to its messages, in words that can be shown to a person; nested fields have dotted names such as `line_items.0.quantity`. Mend all of them and send the request again.',
  rate_limit_exceeded:
    'Wait for the seconds in `Retry-After`. The `RateLimit` header of every answer says what is left, so a program can slow down before it is refused. See [rate limits](/docs/rest#rate-limits).',
  headers_too_large:
    'Shorten the address or the headers. Long lists of ids in a filter are better asked for in several requests, or in a [program](/docs/programs).',
  internal_error:
    'It is safe to try a read again. Repeat a write only with the same [Idempotency-Key](/docs/idempotency). When it happens again, report the request id that the message names; the log of the service has the cause under that id.',
  upstream_failed:
    'The site or service outside did not answer, or not with what is needed. Check the address that you sent, and try again later.',
  webhook_delivery_failed:
    'Your endpoint must answer with a status from 200 to 299 in time. The message says what it answered instead. See [webhooks](/docs/webhooks#answer-then-work).',
  overloaded:
    'Wait for the seconds in `Retry-After` and send the request again. When many clients write the same records, do it in one [program](/docs/programs) instead.',
  storage_full:
    'For the operator: free space on the disk that holds `DATA_DIR`, or of the database server. Writes work again as soon as there is space; a restart is not needed.',
  storage_unavailable:
    'Nothing was kept, so send the request again after the seconds in `Retry-After`. For the operator: see whether PostgreSQL runs or, without it, whether the disk is mounted and writable; the log of the service and `/readyz` say what is wrong.',
}
