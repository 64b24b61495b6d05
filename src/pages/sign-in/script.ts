import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ALWAYS } from '../parts/stylesheet.ts'

const TEXT = readFileSync(new URL('./passkey.js', import.meta.url), 'utf8')
const HASH = createHash('sha256').update(TEXT).digest('hex').slice(0, 16)

/** The module with which the page of signing in asks for a passkey. */
export const PASSKEY_SCRIPT = {
  address: `/sign-in/passkey-${HASH}.js`,
  answer: () =>
    new Response(TEXT, {
      headers: {
        ...ALWAYS,
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    }),
}

/** Lets the one script of ours run, and ask our own addresses. */
export const WITH_SCRIPT = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}
