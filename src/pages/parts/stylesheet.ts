import { readFileSync } from 'node:fs'
import { type Asset, asset } from './asset.ts'

/** A stylesheet of these files, in their order, below an address such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return asset(`${below}style`, 'css', text)
}

/** The sheets of these names in the folder of a module: `sheets(import.meta.url, 'frame', 'prose')`. */
export function sheets(module: string, ...names: string[]): URL[] {
  return names.map((name) => new URL(`./${name}.css`, module))
}

/** What every page has: colours and measures, and what looks the same wherever it is. */
export const BASE = sheets(import.meta.url, 'tokens', 'base')

/** A list of options of which one is chosen. */
export const OPTIONS = sheets(import.meta.url, 'options')

const COMMON = stylesheet('/checkout/', ...BASE, ...sheets(import.meta.url, 'page', 'controls', 'message'))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
