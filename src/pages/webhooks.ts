import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { type Page, page } from './layout.ts'

const EXAMPLES = new URL('../../examples/receivers/', import.meta.url)
const LANGUAGES = { 'Node.js': 'receiver.mjs', Python: 'receiver.py', Ruby: 'receiver.rb' }

const examples = Object.entries(LANGUAGES).map(([language, file]) => ({
  language,
  code: readFileSync(new URL(file, EXAMPLES), 'utf8').trimEnd(),
}))

/** How a receiver of webhooks tells what came from the shop. */
export function webhooksPage(signatureHeader: string): Page {
  return page(
    'Webhooks',
    html`<h1>Webhooks</h1><p>A webhook endpoint is an address of yours that hears of changes: each is sent to it as a POST
      request with a JSON body. <code>POST /v1/webhook_endpoints</code> registers one and answers its secret, once;
      <code>GET /v1/events</code> lists the events; <code>POST /v1/webhook_endpoints/{id}/test</code> sends a sample.</p>
      <h2>Check the signature</h2><p>Anybody can post to your address, so check each request before you believe it. Sign the
      bytes of the body as they came, not JSON that was parsed and written again. Compare in constant time, and refuse
      timestamps more than 5 minutes off.</p>
      <dl>${HEADERS.map(([name, meaning]) => html`<dt><code>${name}</code></dt><dd>${meaning}</dd>`)}
      <dt><code>${signatureHeader}</code></dt><dd>Base64 of HMAC-SHA256 over the body alone, keyed with the whole secret as
      it was shown. An alternative for receivers that do not know the other form.</dd></dl>
      <p>The first three follow the Standard Webhooks specification, so its libraries verify them too.</p>
      ${examples.map(({ language, code }) => html`<h3>${language}</h3><pre>${code}</pre>`)}
      <h2>Answer, then work</h2>
      <p>Answer with a status from 200 to 299 within 5 seconds, and do the work afterwards. Any other answer, a redirect
      too, counts as failed. A failed delivery is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h,
      each about a tenth more or less. <code>Retry-After</code> on 429 and 503 is heeded, up to a day. The answer 410
      disables the endpoint; so do 5 days of failures.</p>
      <h2>Expect repetitions</h2>
      <p>Each event comes at least once, and not always in order. A retry has the same <code>id</code> and body, and a new
      timestamp and signature: remember the ids that you have seen for at least 4 days.</p>
      <h2>The body</h2><pre>${BODY}</pre>
      <p>${BODY_NOTES}</p>`,
  )
}

const HEADERS: [name: string, meaning: string][] = [
  ['webhook-id', 'The id of the event, the same at every attempt'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970'],
  [
    'webhook-signature',
    'v1, a comma, and Base64 of HMAC-SHA256 over the id, the timestamp and the body, joined by full stops. The key is what the secret holds after whsec_, decoded from Base64. Several signatures are separated by spaces',
  ],
]

const BODY = JSON.stringify(
  {
    id: 'whev_01k9z6v8q2f3x7c5m1n4b0r8ta',
    object: 'webhook_event',
    type: 'product.updated',
    api_version: 'v1',
    livemode: true,
    created_at: '2026-01-15T10:30:00Z',
    timestamp: '2026-01-15T10:30:00Z',
    data: { id: 'prod_01k9z6v8q2f3x7c5m1n4b0r8ta', object: 'product', name: 'Ruby Handbook' },
    previous_attributes: { name: 'Handbook' },
  },
  null,
  2,
)

const BODY_NOTES =
  'data is the resource as GET answers it, or the confirmation of a deletion. previous_attributes comes with updates alone. livemode is false for a test account. A body over 256 kB holds only id and object in data, and "truncated": true. Test events carry "test": true.'
