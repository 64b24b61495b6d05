import { cut } from '../../../../contract/values/values.ts'
import { type Bill, billRows } from '../../../../format/bill.ts'
import { isolated } from '../../../../format/direction.ts'

/** The sender of a letter. */
export interface Shop {
  name: string
  supportEmail: string | null
  /** How readers can contact a sender without a support address, as the end of a sentence. */
  contact?: string
  /** The IANA time zone for days and times in the letter. */
  timeZone: string
  /** The page where a member unsubscribes from such letters. */
  stopUrl?: string
  /** The page with all purchases of a buyer. */
  purchasesUrl?: string
  /** The shop's colors, font and logo, in place of those of the service. */
  brand?: Brand
}

/** The branding of a shop. Letters use the values as they are, so they are validated when they are set. */
export interface Brand {
  /** A CSS list of font families; null for the default. */
  font: string | null
  /** The public URL of the logo. */
  logo: string | null
  light: Tones
  dark: Tones
}

/** Colors that are readable on the page of a letter, such as `#1d4ed8`. */
interface Tones {
  button: string
  onButton: string
  link: string
}

/** A message from the service, from which both its bodies are rendered. All texts are plain text. */
export interface Letter {
  subject: string
  /** The text that inboxes show after the subject. */
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
  /** Whether it is the total of a bill. */
  strong?: boolean
}

/** One line item, such as `2 × Ruby Handbook`. The detail below it is the price of each when there are several. */
export interface Line {
  name: string
  detail: string | null
  value: string
}

/** The label of the link to `purchasesUrl`. */
export const PURCHASES = 'Your orders, receipts and subscriptions'

const MAX_SUBJECT = 200

/** Returns a text as one line, because names in a subject may contain line breaks. */
export function subjectLine(text: string): string {
  return cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), MAX_SUBJECT)
}

/** Returns how readers can contact the shop, as the end of a sentence. */
export function reach({ name, supportEmail, contact = `contact ${isolated(name)}` }: Shop): string {
  return supportEmail === null ? contact : `e-mail ${supportEmail}`
}

/** Returns a bill as the totals of a letter. */
export function billFacts(bill: Bill): Fact[] {
  return billRows(bill).map(({ kind, label, value }) => ({ label, value, ...(kind === 'total' && { strong: true }) }))
}

export function words(text: string): Part {
  return { kind: 'words', words: text }
}
