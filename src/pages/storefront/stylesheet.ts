import { sheets, stylesheet } from '../parts/stylesheet.ts'

/** What the pages of a shop look like, beyond the common stylesheet of all pages. */
export const STOREFRONT_STYLE = stylesheet(
  '/s/',
  ...sheets(
    import.meta.url,
    'styles/frame',
    'styles/lists',
    'styles/product',
    'styles/prose',
    'styles/content',
    'styles/access',
  ),
)
