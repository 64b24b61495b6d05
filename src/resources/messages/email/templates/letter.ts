import { cut } from '../../../../contract/values/values.ts'
import { type Bill, billRows } from '../../../../format/bill.ts'
import { isolated } from '../../../../format/direction.ts'

export interface Shop {
  name: string
  supportEmail: string | null
  /** How to contact a sender without a support address, as the end of a sentence: `ask the operator of this service`. */
  contact?: string
  /** The IANA time zone of days and times. */
  timeZone: string
  stopUrl?: string
  purchasesUrl?: string
  /** The service's own branding is used if absent. */
  brand?: Brand
}

/** The values are validated when they are set, because letters insert them unchanged. */
export interface Brand {
  /** A CSS list of font families; null for the default fonts. */
  font: string | null
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

/** The content of a letter, whose texts are all plain text. */
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
  strong?: boolean
}

/** A line such as `2 × Ruby Handbook`, whose detail is the unit price if the quantity is greater than 1. */
export interface Line {
  name: string
  detail: string | null
  value: string
}

export const PURCHASES = 'Your orders, receipts and subscriptions'

const MAX_SUBJECT = 200

/** Removes line breaks, which a name may contain but a subject must not. */
export function subjectLine(text: string): string {
  return cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), MAX_SUBJECT)
}

/** Returns how to contact the shop, as the end of a sentence: `e-mail help@shop.example`. */
export function reach({ name, supportEmail, contact = `contact ${isolated(name)}` }: Shop): string {
  return supportEmail === null ? contact : `e-mail ${supportEmail}`
}

export function billFacts(bill: Bill): Fact[] {
  return billRows(bill).map(({ kind, label, value }) => ({ label, value, ...(kind === 'total' && { strong: true }) }))
}

export function facts(...rows: [label: string, value: string][]): Part {
  return { kind: 'facts', rows: rows.map(([label, value]) => ({ label, value })) }
}

export function words(text: string): Part {
  return { kind: 'words', words: text }
}
