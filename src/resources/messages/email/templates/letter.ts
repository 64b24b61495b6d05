import { cut } from '../../../../contract/values/values.ts'
import { type Bill, billRows } from '../../../../words/bill.ts'
import { isolated } from '../../../../words/direction.ts'

/** The shop that writes. */
export interface Shop {
  name: string
  supportEmail: string | null
  /** How a reader reaches it where nobody reads its mail, as the end of a sentence. */
  contact?: string
  /** IANA name; days are those of the shop. */
  timeZone: string
  /** Where a reader of the team stops such letters. */
  stopUrl?: string
  /** Where a buyer finds all that was bought. */
  purchasesUrl?: string
  /** The shop's own colour, letters and logo, in place of those of the service. */
  brand?: Brand
}

/** What a shop looks like. Mail clients take the values as they are, so they are checked where they are set. */
export interface Brand {
  /** A list of font families, as style sheets have it; null for that of the service. */
  font: string | null
  /** The public address of a picture. */
  logo: string | null
  light: Tones
  dark: Tones
}

/** Colours that can be read on the page of a letter: `#1d4ed8`. */
export interface Tones {
  button: string
  onButton: string
  link: string
}

/** A message of the service itself, from which both of its bodies are made. All texts are plain. */
export interface Letter {
  subject: string
  /** What inboxes show behind the subject. */
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
  /** The total of a bill. */
  strong?: boolean
}

/** One thing that is sold: `2 × Ruby Handbook`, with its price each below it where there are several. */
export interface Line {
  name: string
  detail: string | null
  value: string
}

/** What the page at `purchasesUrl` is called. */
export const PURCHASES = 'Your orders, receipts and subscriptions'

const MAX_SUBJECT = 200

/** Names are free text, and a subject is one line. */
export function subjectLine(text: string): string {
  return cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), MAX_SUBJECT)
}

/** How a reader reaches the shop, as the end of a sentence. */
export function reach({ name, supportEmail, contact = `contact ${isolated(name)}` }: Shop): string {
  return supportEmail === null ? contact : `e-mail ${supportEmail}`
}

/** A bill as the totals of a letter. */
export function billFacts(bill: Bill): Fact[] {
  return billRows(bill).map(({ kind, label, value }) => ({ label, value, ...(kind === 'total' && { strong: true }) }))
}

export function words(text: string): Part {
  return { kind: 'words', words: text }
}
