/** The domain name system, as far as the shop asks it. */
export interface DomainRecords {
  /** The texts of a name's TXT records; none when there is no such name or no answer. Only jobs ask. */
  texts(name: string): Promise<string[]>
}
