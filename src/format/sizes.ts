import { formatNumber } from './numbers.ts'

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB']

/** Formats the size of stored or sent data: `1 byte`, `1.2 MB`, `48 KB`, `5 GB`. A KB has 1,000 bytes. */
export function bytesInWords(bytes: number): string {
  return inUnits(bytes, 1_000)
}

/** Formats a size in memory: `64 KB`. A KB has 1,024 bytes. */
export function memoryInWords(bytes: number): string {
  return inUnits(bytes, 1_024)
}

/** Formats a size with one decimal below ten. A size that rounds to 1 of the next unit is shown in that unit. */
function inUnits(bytes: number, base: number): string {
  if (bytes === 1) return '1 byte'
  for (const [power, unit] of UNITS.entries()) {
    const value = bytes / base ** power
    const rounded = power > 0 && value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value)
    if (rounded < base || power === UNITS.length - 1) return `${shown(rounded)} ${unit}`
  }
  throw new RangeError(`${bytes} is no size.`)
}

/**
 * Formats a rounded number. The number formatter is used only for numbers that need a comma, because loading it at the start
 * would take 6 MB of memory.
 */
function shown(rounded: number): string {
  return rounded < 1_000 ? String(rounded) : formatNumber(rounded)
}
