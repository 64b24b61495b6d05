type Fits = (digits: string, whole: string) => boolean

/** Where the way to compute the check digits is public and certain; other countries' ids are checked by their form alone. */
export const CHECK_DIGITS: Readonly<Record<string, Fits>> = {
  AT: (digits) => (96 - doubledSum(digits.slice(0, 7), 1)) % 10 === Number(digits[7]),
  AU: (digits) =>
    weighted(`${Number(digits[0]) - 1}${digits.slice(1)}`, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0,
  BE: (digits) => 97 - (Number(digits.slice(0, 8)) % 97) === Number(digits.slice(8)),
  CH: (digits) => weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4, 1]) % 11 === 0,
  DE: (digits) => isMod11And10(digits),
  DK: (digits) => weighted(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  FI: (digits) => weighted(digits, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0,
  FR: (_, whole) => fitsFrench(whole.slice(2)),
  GB: (digits, whole) => /^GB[A-Z]/.test(whole) || fitsBritish(digits.slice(0, 9)),
  GR: (digits) => (weighted(digits.slice(0, 8), [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(digits[8]),
  HR: (digits) => isMod11And10(digits),
  IT: isLuhn,
  LU: (digits) => Number(digits.slice(0, 6)) % 89 === Number(digits.slice(6)),
  NO: (digits) => weighted(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  PL: (digits) => weighted(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(digits[9]),
  PT: (digits) =>
    ((11 - (weighted(digits.slice(0, 8), [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === Number(digits[8]),
  SE: (digits) => isLuhn(digits.slice(0, 10)),
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)
}

/** ISO/IEC 7064, MOD 11,10. */
function isMod11And10(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** The sum of digits, of which every second is doubled, from the one at `first`; of two digits both are counted. */
function doubledSum(digits: string, first: number): number {
  return [...digits].reduce((sum, digit, index) => {
    const value = index % 2 === first ? 2 * Number(digit) : Number(digit)
    return sum + Math.floor(value / 10) + (value % 10)
  }, 0)
}

function isLuhn(digits: string): boolean {
  return doubledSum(digits, digits.length % 2) % 10 === 0
}

/** Keys with letters have no public rule that all of them follow. */
function fitsFrench(id: string): boolean {
  const [key, company] = [id.slice(0, 2), id.slice(2)]
  return !/^\d\d$/.test(key) || Number(key) === (12 + 3 * (Number(company) % 97)) % 97
}

function fitsBritish(digits: string): boolean {
  const sum = weighted(digits.slice(0, 7), [8, 7, 6, 5, 4, 3, 2]) + Number(digits.slice(7))
  return sum % 97 === 0 || (sum + 55) % 97 === 0
}
