import { stylesheet } from '../parts/stylesheet.ts'

/** What forms look like, beyond the common stylesheet of all pages. */
export const FORM_STYLE = stylesheet('/forms/', new URL('./forms.css', import.meta.url))
