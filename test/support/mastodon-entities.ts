import type { mastodon } from 'masto'

/** A name as the API has it on the wire: `charactersReservedPerUrl` is `characters_reserved_per_url`. */
type Written<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Written<Rest>}`
    : `_${Lowercase<First>}${Written<Rest>}`
  : Name

/** What of an entity a server sends; every name and kind of value is the one that the library of the API knows. */
type Sent<Entity> = Entity extends (infer Item)[]
  ? Sent<Item>[]
  : Entity extends object
    ? { [Name in keyof Entity & string as Written<Name>]?: Sent<Entity[Name]> }
    : Entity

export type SentAccount = Sent<mastodon.v1.Account>
export type SentInstance = Sent<mastodon.v2.Instance>
export type SentMedium = Sent<mastodon.v1.MediaAttachment>
export type SentStatus = Sent<mastodon.v1.Status>
export type SentContext = Sent<mastodon.v1.Context>
