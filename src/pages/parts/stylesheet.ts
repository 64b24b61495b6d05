import { readFileSync } from 'node:fs'
import { type Asset, asset } from './asset.ts'

/** Concatenates files into a stylesheet below a path, such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return asset(`${below}style`, 'css', text)
}

/** Returns the stylesheets with these names next to a module: `sheets(import.meta.url, 'frame', 'prose')`. */
export function sheets(module: string, ...names: string[]): URL[] {
  return names.map((name) => new URL(`./${name}.css`, module))
}

/** Styles of all pages: design tokens and shared elements. */
export const BASE = sheets(import.meta.url, 'tokens', 'base')

/** Radio options. */
export const OPTIONS = sheets(import.meta.url, 'options')

const COMMON = stylesheet('/checkout/', ...BASE, ...sheets(import.meta.url, 'page', 'controls', 'message'))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
