import { cut } from '../../../../contract/values/values.ts'
import { type Bill, billRows } from '../../../../format/bill.ts'
import { isolated } from '../../../../format/direction.ts'

/** The sender of a letter. */
export interface Shop {
  name: string
  supportEmail: string | null
  /** The end of a sentence about how to contact the sender, if it has no support address. */
  contact?: string
  /** The IANA time zone in which the letter shows days and times. */
  timeZone: string
  /** The page on which a member unsubscribes from such letters. */
  stopUrl?: string
  /** The page with all purchases of a buyer. */
  purchasesUrl?: string
  /** The shop's colors, font and logo. The service's own branding is used if absent. */
  brand?: Brand
}

/** The branding of a shop. It is validated when it is set, because letters insert the values unchanged. */
export interface Brand {
  /** A CSS list of font families; null for the default fonts. */
  font: string | null
  /** The public URL of the logo. */
  logo: string | null
  light: Tones
  dark: Tones
}

/** Colors that are readable on the background of a letter, such as `#1d4ed8`. */
interface Tones {
  button: string
  onButton: string
  link: string
}

/** The content of a letter, from which its text and HTML are rendered. All texts in it are plain text. */
export interface Letter {
  subject: string
  /** The text that inboxes show next to the subject. */
  preview: string
  heading: string
  parts: Part[]
}

export type Part =
  | { kind: 'words'; words: string }
  | { kind: 'facts'; rows: Fact[] }
  | { kind: 'lines'; rows: Line[]; totals: Fact[] }
  | { kind: 'link'; label: string; url: string }

export interface Fact {
  label: string
  value: string
  /** Whether the row is the total of a bill. */
  strong?: boolean
}

/** One line item, such as `2 × Ruby Handbook`. Its detail is the unit price if the quantity is greater than 1. */
export interface Line {
  name: string
  detail: string | null
  value: string
}

/** The label of the link to the shop's `purchasesUrl`. */
export const PURCHASES = 'Your orders, receipts and subscriptions'

const MAX_SUBJECT = 200

/** Returns a text without line breaks, which a subject must not contain but a name may. */
export function subjectLine(text: string): string {
  return cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), MAX_SUBJECT)
}

/** Returns the end of a sentence about how to contact the shop. */
export function reach({ name, supportEmail, contact = `contact ${isolated(name)}` }: Shop): string {
  return supportEmail === null ? contact : `e-mail ${supportEmail}`
}

/** Returns the rows of a bill in the form of a letter's totals. */
export function billFacts(bill: Bill): Fact[] {
  return billRows(bill).map(({ kind, label, value }) => ({ label, value, ...(kind === 'total' && { strong: true }) }))
}

export function words(text: string): Part {
  return { kind: 'words', words: text }
}
