import { readFileSync } from 'node:fs'
import { type Asset, asset } from './asset.ts'

/** Concatenates CSS files into one stylesheet. Its URL begins with `below`, such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return asset(`${below}style`, 'css', text)
}

/** Returns the URLs of CSS files next to a module: `sheets(import.meta.url, 'frame', 'prose')`. */
export function sheets(module: string, ...names: string[]): URL[] {
  return names.map((name) => new URL(`./${name}.css`, module))
}

/** The styles of all pages: design tokens and shared elements. */
export const BASE = sheets(import.meta.url, 'tokens', 'base')

export const OPTIONS = sheets(import.meta.url, 'options')

const COMMON = stylesheet('/checkout/', ...BASE, ...sheets(import.meta.url, 'page', 'controls', 'message'))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
