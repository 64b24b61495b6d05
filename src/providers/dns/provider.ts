/** DNS lookups that the shop needs. */
export interface DomainRecords {
  /** Returns a name's TXT records; empty if there are none or no answer arrived. Called by jobs, and by pages while a person waits. */
  texts(name: string): Promise<string[]>
  /** Returns a name's texts, or its addresses, also through aliases. Empty if it has none; null if no answer arrived. */
  lookUp(name: string, kind: 'texts' | 'addresses'): Promise<string[] | null>
}
