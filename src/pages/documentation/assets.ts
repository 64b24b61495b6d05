import { readFileSync } from 'node:fs'
import { asset } from '../parts/asset.ts'
import { BASE, stylesheet } from '../parts/stylesheet.ts'

/** What the documentation looks like. */
export const STYLE = stylesheet(
  '/docs/assets/',
  ...BASE,
  ...['frame.css', 'prose.css', 'reference.css'].map((file) => new URL(`./styles/${file}`, import.meta.url)),
)

/** What the pages can do more with a script: results while typing, and buttons that copy. */
export const SCRIPT = asset(
  '/docs/assets/enhance',
  'js',
  readFileSync(new URL('./enhance.js', import.meta.url), 'utf8'),
)
