import { readFileSync } from 'node:fs'
import { asset } from '../parts/asset.ts'
import { BASE, sheets, stylesheet } from '../parts/stylesheet.ts'

const SHEETS = ['frame', 'search', 'navigation', 'prose', 'code', 'reference']

/** What the documentation looks like. */
export const STYLE = stylesheet(
  '/docs/assets/',
  ...BASE,
  ...sheets(import.meta.url, ...SHEETS.map((name) => `styles/${name}`)),
)

/** What the pages can do more with a script: results while typing, and buttons that copy. */
export const SCRIPT = asset(
  '/docs/assets/enhance',
  'js',
  readFileSync(new URL('./enhance.js', import.meta.url), 'utf8'),
)
