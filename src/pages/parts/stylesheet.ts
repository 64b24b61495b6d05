import { readFileSync } from 'node:fs'
import { type Asset, asset } from './asset.ts'

/** A stylesheet of these files, in their order, below an address such as `/checkout/`. */
export function stylesheet(below: string, ...files: URL[]): Asset {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  return asset(`${below}style`, 'css', text)
}

/** What every page has: colours and measures, and what looks the same wherever it is. */
export const BASE = ['tokens.css', 'base.css'].map((file) => new URL(`./${file}`, import.meta.url))

const COMMON = stylesheet('/checkout/', ...BASE, new URL('./common.css', import.meta.url))

export const STYLE_ADDRESS = COMMON.address
export const styleAnswer = COMMON.answer
