import { readFileSync } from 'node:fs'
import { asset } from '../parts/asset.ts'
import { sheets, stylesheet } from '../parts/stylesheet.ts'

/** The module with which the page of signing in asks for a passkey. */
export const PASSKEY_SCRIPT = asset(
  '/sign-in/passkey',
  'js',
  readFileSync(new URL('./passkey.js', import.meta.url), 'utf8'),
)

/** Lets the one script of ours run, and ask our own addresses. */
export const WITH_SCRIPT = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/** What the pages of signing in look like, beyond the common stylesheet of all pages. */
export const SIGN_IN_STYLE = stylesheet('/sign-in/', ...sheets(import.meta.url, 'sign-in'))
