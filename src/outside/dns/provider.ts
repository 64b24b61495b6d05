/** The domain name system, as far as the shop asks it. */
export interface DomainRecords {
  /** The texts of a name's TXT records; none when there is no such name or no answer. Jobs ask, and pages on which a person waits. */
  texts(name: string): Promise<string[]>
  /** The texts of a name, or the addresses to which it leads, also by way of other names. None where it has none; null without an answer. */
  lookUp(name: string, kind: 'texts' | 'addresses'): Promise<string[] | null>
}
