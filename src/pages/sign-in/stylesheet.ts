import { sheets, stylesheet } from '../parts/stylesheet.ts'

/** What the pages of signing in look like, beyond the common stylesheet of all pages. */
export const SIGN_IN_STYLE = stylesheet('/sign-in/', ...sheets(import.meta.url, 'sign-in'))
