import type { mastodon } from 'masto'

/** Converts a name to snake case, as in JSON: `charactersReservedPerUrl` becomes `characters_reserved_per_url`. */
type Written<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Written<Rest>}`
    : `_${Lowercase<First>}${Written<Rest>}`
  : Name

/** An entity as JSON, derived from the types of the client library. All fields are optional. */
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
