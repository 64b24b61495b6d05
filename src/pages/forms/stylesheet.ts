import { sheets, stylesheet } from '../parts/stylesheet.ts'

/** What forms look like, beyond the common stylesheet of all pages. */
export const FORM_STYLE = stylesheet('/forms/', ...sheets(import.meta.url, 'forms'))
