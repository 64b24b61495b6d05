import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ALWAYS, stylesheet, TOKENS } from '../parts/stylesheet.ts'

/** What the documentation looks like. */
export const STYLE = stylesheet(
  '/docs/assets/',
  TOKENS,
  ...['frame.css', 'prose.css', 'reference.css'].map((file) => new URL(`./styles/${file}`, import.meta.url)),
)

const script = readFileSync(new URL('./enhance.js', import.meta.url), 'utf8')
const hash = createHash('sha256').update(script).digest('hex').slice(0, 16)

/** What the pages can do more with a script: results while typing, and buttons that copy. */
export const SCRIPT = { address: `/docs/assets/enhance-${hash}.js`, answer: () => scriptAnswer() }

function scriptAnswer(): Response {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  }
  return new Response(script, { headers: { ...ALWAYS, ...headers } })
}
