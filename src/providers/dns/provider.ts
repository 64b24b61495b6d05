export interface DomainRecords {
  /** Returns a name's TXT records; empty if there are none or DNS does not respond. */
  texts(name: string): Promise<string[]>
  /** Returns a name's TXT records, or its addresses after following aliases. Empty if it has none; null if DNS does not respond. */
  lookUp(name: string, kind: 'texts' | 'addresses'): Promise<string[] | null>
}
