import { stylesheet } from '../parts/stylesheet.ts'

/** What the pages of a shop look like, beyond the common stylesheet of all pages. */
export const STOREFRONT_STYLE = stylesheet('/s/', new URL('./storefront.css', import.meta.url))
