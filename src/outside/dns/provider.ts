/** The domain name system, as far as the shop asks it. */
export interface DomainRecords {
  /** The texts of a name's TXT records; none when there is no such name or no answer. Jobs ask, and pages on which a person waits. */
  texts(name: string): Promise<string[]>
}
