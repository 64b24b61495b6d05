import type { z } from 'zod'
import type { postalAddress, postalAddressWithPhone } from '../../../contract/declarations/postal-address.ts'

interface Person {
  legal_first_name: string
  legal_last_name: string
  address: z.output<typeof postalAddress>
  /** The nine-digit tax id; null if the owner entered none. It must never be logged or shown. */
  tax_id: string | null
}

export interface Filing {
  entity_type: string
  /** The two-letter code of a US state. */
  state: string
  naics_code: string
  description: string
  /** The requested names, the preferred one first. */
  name_options: { name: string; entity_type_ending: string }[]
  members: (Person & { contact_full_name: string; is_natural_person: boolean; ownership_percent: number })[]
  responsible_party: Person
  mailing_address: z.output<typeof postalAddressWithPhone>
}

export interface FilingRequest {
  /** The idempotency key, which is the same for every attempt of one submission. */
  key: string
  filing: Filing
  /** The current UTC date by the account's clock, such as `2026-01-15`. */
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
  /** The outcome is not known yet, so the job repeats the request with the same key. */
  | { state: 'pending' }
  /** People file the documents and record the result with a command, so the job does not ask again. */
  | { state: 'by_hand' }
  /** `filed_on` is a date; `notes` are for the owner. */
  | { state: 'completed'; ein: string; filed_on: string; notes: string[]; documents: FiledDocument[] }
  /** `message` states the reason in a sentence that the owner can act on. */
  | { state: 'failed'; message: string }

export interface FilingAgent {
  /** Returns the price in minor units. */
  priceOf(filing: Pick<Filing, 'entity_type' | 'state'>): { amount: number; currency: string }
  /** Files the documents, or returns the current state. Rejects if the agent could not be reached. Called only by jobs. */
  file(request: FilingRequest): Promise<FilingOutcome>
}

export interface Filings {
  /** Returns the trial agent for test accounts; null if no agent is configured. */
  agentFor(account: { test: boolean }): FilingAgent | null
}

export interface FormationServices {
  /** Files the documents of new companies; only jobs may do so. */
  filings: Filings
}
