interface Address {
  line1: string
  line2: string | null
  city: string
  state: string
  postal_code: string
  country: string
}

interface Person {
  legal_first_name: string
  legal_last_name: string
  address: Address
  /** Nine digits; null where none was given. Never to be logged or shown. */
  tax_id: string | null
}

export interface Filing {
  entity_type: string
  /** Two letters. */
  state: string
  naics_code: string
  description: string
  /** The most wanted first. */
  name_options: { name: string; entity_type_ending: string }[]
  members: (Person & { contact_full_name: string; is_natural_person: boolean; ownership_percent: number })[]
  responsible_party: Person
  mailing_address: Address & { phone: string }
}

export interface FilingRequest {
  /** The same at every attempt of one submission: whoever asks again files nothing twice. */
  key: string
  filing: Filing
  /** The date by the account's clock: `2026-01-15`. */
  today: string
  signal: AbortSignal
}

export interface FiledDocument {
  document_type: 'articles_of_organization' | 'ein_letter' | 'operating_agreement' | 'other'
  name: string
  content_type: string
  content: Uint8Array
}

export type FilingOutcome =
  /** Not known yet; to be asked again with the same key. */
  | { state: 'pending' }
  /** People file it: its end is booked when they say so, and nobody is asked again. */
  | { state: 'by_hand' }
  /** `filed_on` is a date, `notes` are for the owner. */
  | { state: 'completed'; ein: string; filed_on: string; notes: string[]; documents: FiledDocument[] }
  /** `message` says why in one sentence that the owner can act on. */
  | { state: 'failed'; message: string }

/** Whoever files the papers of new companies with the authorities. */
export interface FilingAgent {
  /** What a formation costs, in minor units. */
  priceOf(filing: Pick<Filing, 'entity_type' | 'state'>): { amount: number; currency: string }
  /** Files, or says how far it is. A rejection means that the agent could not be reached. Only jobs ask. */
  file(request: FilingRequest): Promise<FilingOutcome>
}

export interface Filings {
  /** The one that files for an account, or null where none does. A test account's is always the trial agent. */
  agentFor(account: { test: boolean }): FilingAgent | null
}
