import { z } from 'zod'
import { idPattern } from '../values/ids.ts'
import type { Field, Fields, FieldUse, Meaning, ReadOnly, Written } from './field.ts'
import { field, timestamp } from './kinds.ts'

/** The actions that each state permits: `{ active: ['pause', 'cancel'], canceled: [] }`. */
export type StateTable = Record<string, readonly string[]>

/** The areas of a shop to which roles have access; `role-rights.ts` says which role may read and write in which. */
export type Area =
  | 'account'
  | 'automation'
  | 'company'
  | 'content'
  | 'customers'
  | 'developers'
  | 'log'
  | 'ownership'
  | 'people'
  | 'products'
  | 'programs'
  | 'sales'
  | 'self'
  | 'settings'
  | 'wallet'

/** The declaration shared by stored nouns and nouns of responses. */
interface DescribedNoun<F extends Fields> {
  /** The heading of the noun's operations in the API reference. */
  group: string
  /** The area whose rights its operations need. */
  area?: Area
  description: string
  /** A few words for the map of all resources, if the beginning of the description is too long. */
  gist?: string
  fields: F
  /** Example values that replace those of the fields where the fields' own examples would contradict each other. */
  example?: { readonly [Key in keyof F]?: unknown }
}

/** Type-level traits of a noun: its path, its states and whether it is stored. */
export interface Traits<
  Plural extends string = string,
  Slug extends boolean = boolean,
  Immutable extends boolean = boolean,
  Action extends string = string,
  Stored extends boolean = boolean,
> {
  plural: Plural
  slug: Slug
  immutable: Immutable
  /** The actions that the noun's states permit, or `never` if it has no states. */
  action: Action
  /** Whether the noun has a table, an id and timestamps of its own. */
  stored: Stored
}

export interface NounDeclaration<
  F extends Fields,
  H extends Fields,
  E extends readonly string[],
  Plural extends string = string,
  Slug extends boolean = boolean,
  Immutable extends boolean = boolean,
  States extends StateTable = StateTable,
> extends DescribedNoun<F> {
  /** The id prefix without the underscore: `prod`. */
  prefix: string
  /** The plural in paths and as the table's name; if absent, the name with an `s`. */
  plural?: Plural
  /** Whether a slug is accepted wherever an id is. */
  slug?: Slug
  /** Whether rows never change, so that they have no `updated_at`. */
  immutable?: Immutable
  /** Fields that a list's `query` searches, stored in lower case in the column `search_text`. */
  searchable?: readonly (keyof F & string)[]
  /** Fields that the global search indexes. In a search result, the first one with a value is the title and the next one the detail. */
  foundBy?: readonly (keyof F & string)[]
  /** Columns that responses never show and bodies never name. Only rules set them; inserts must set those without a default. */
  hidden?: H
  states?: States
  /** Event names without the resource's name: `created`. A name with a dot is complete: `lead.created`. */
  events?: E
  /** The prefix of its events if it is not the noun's name: `ai_task` for `ai_task.created`. */
  eventsNamed?: string
  /** Descriptions of events whose names do not explain them. */
  eventDescriptions?: { readonly [Key in NoInfer<E>[number]]?: string }
  /** References and collections that webhook deliveries expand: `['customer', 'line_items']`. */
  eventExpand?: readonly (keyof F & string)[]
  /** Fields that events and plans omit because their values grant access. */
  notInEvents?: readonly (keyof F & string)[]
  /** Whether events appear only in plans, so that webhook endpoints cannot subscribe to them. */
  eventsStayInside?: boolean
  /** The order of its lists in words, unless the newest come first. */
  listOrder?: string
}

/** A resource: its name, fields and states. Its storage, API and documentation are derived from it. */
export interface Noun<
  Name extends string = string,
  F extends Fields = Fields,
  H extends Fields = Fields,
  E extends readonly string[] = readonly string[],
  T extends Traits = Traits,
> {
  name: Name
  plural: string
  /** The id prefix; null for a noun that is not stored. */
  prefix: string | null
  group: string
  area: Area | null
  description: string
  gist: string | null
  slug: boolean
  immutable: boolean
  searchable: readonly string[]
  foundBy: readonly string[]
  /** The declared fields as well as `id`, `object`, `created_at` and `updated_at`, in the order of responses. */
  fields: F & Fields
  hidden: Fields
  states: StateTable | null
  events: E
  eventsNamed: string
  eventDescriptions: Readonly<Record<string, string>>
  eventExpand: readonly string[]
  eventsStayInside: boolean
  notInEvents: readonly string[]
  listOrder: string
  example: Readonly<Record<string, unknown>>
  isId(value: string): boolean
  /** Exists only as a type, never as a value. */
  readonly declared?: { fields: F; hidden: H; traits: T }
}

const NEWEST_FIRST_IN_WORDS = 'newest first'

const DEFAULTS = {
  area: null,
  gist: null,
  slug: false,
  immutable: false,
  searchable: [],
  foundBy: [],
  hidden: {},
  states: null,
  eventDescriptions: {},
  eventExpand: [],
  eventsStayInside: false,
  notInEvents: [],
  example: {},
}

/** Declares a stored resource, with a table, an id and timestamps. */
export function noun<
  const Name extends string,
  F extends Fields,
  H extends Fields = Record<never, Field>,
  const E extends readonly string[] = [],
  const Plural extends string = `${Name}s`,
  const Slug extends boolean = false,
  const Immutable extends boolean = false,
  const States extends StateTable = Record<never, never>,
>(
  name: Name,
  declaration: NounDeclaration<F, H, E, Plural, Slug, Immutable, States>,
): Noun<Name, F, H, E, Traits<Plural, Slug, Immutable, States[keyof States][number], true>> & { prefix: string } {
  const { prefix, immutable = false, states = null } = declaration
  const pattern = idPattern(prefix)
  return {
    ...DEFAULTS,
    eventsNamed: name,
    listOrder: NEWEST_FIRST_IN_WORDS,
    ...declaration,
    name,
    plural: declaration.plural ?? `${name}s`,
    fields: {
      id: idField(prefix),
      object: objectField(name),
      ...declaration.fields,
      ...(states && { allowed_actions: allowedActions() }),
      created_at: timestamp('When it was created').readOnly(),
      ...(!immutable && { updated_at: timestamp('When it last changed').readOnly() }),
    },
    events: declaration.events ?? ([] as readonly string[] as E),
    eventDescriptions: (declaration.eventDescriptions ?? {}) as Record<string, string>,
    isId: (value) => pattern.test(value),
  }
}

/** Declares fields that only the code of operations sets. */
export function readOnly<F extends Fields>(fields: F): ReadOnly<F> {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.readOnly()])) as ReadOnly<F>
}

/** The declaration of a noun that only appears in responses. `withoutObject` omits `object`, which some older responses lack. */
interface AnswerDeclaration<F extends Fields> extends DescribedNoun<F> {
  withoutObject?: boolean
  /** The order of a list's rows, in words. */
  listOrder?: string
}

/** Declares the response of a custom operation, which has no id, table or timestamps. */
export function answerNoun<const Name extends string, F extends Fields>(
  name: Name,
  { fields, withoutObject = false, ...declaration }: AnswerDeclaration<F>,
): Noun<Name, F, Record<never, Field>, [], Traits<`${Name}s`, false, true, never, false>> {
  return {
    ...DEFAULTS,
    eventsNamed: name,
    listOrder: '',
    ...declaration,
    name,
    plural: `${name}s`,
    prefix: null,
    immutable: true,
    fields: { ...(!withoutObject && { object: objectField(name) }), ...fields },
    events: [],
    isId: () => false,
  }
}

/** Returns the full event type: `created` of a product is `product.created`; a name with a dot is complete. */
export function eventType(noun: Pick<Noun, 'eventsNamed'>, event: string): string {
  return event.includes('.') ? event : `${noun.eventsNamed}.${event}`
}

/** Returns the field's documented name in request bodies. */
export function inputName(name: string, field: Field): string {
  return field.spec.input ?? name
}

function idField(prefix: string): Field {
  const description = `Starts with ${prefix}_; sorts by time of creation`
  return field('string', z.string().regex(idPattern(prefix)), description, { example: exampleId(prefix) }).readOnly()
}

function objectField(name: string): Field {
  return field('string', z.literal(name), `Always ${name}`, { example: name }).derived()
}

function allowedActions(): Field {
  return field('array', z.array(z.string()), 'Actions allowed in its current state', { example: [] }).derived()
}

/** Returns a valid id for examples, which is the same in all documents. */
export function exampleId(prefix: string): string {
  return `${prefix}_01k9z6v8q2f3x7c5m1n4b0r8ta`
}

export type DeclaredOf<N> = N extends Noun<string, infer F, Fields, readonly string[]> ? F : never
type HiddenOf<N> = N extends Noun<string, Fields, infer H, readonly string[]> ? H : never
export type TraitsOf<N> = N extends Noun<string, Fields, Fields, readonly string[], infer T> ? T : never
export type UseOf<F> = F extends Field<unknown, boolean, infer Use> ? Use : FieldUse
/** The meaning of a field's values, such as the noun they refer to. */
export type MeaningOf<F> = F extends Field<unknown, boolean, FieldUse, infer Means> ? Means : Meaning
type WriteOf<F> = F extends Field<unknown, boolean, FieldUse, Meaning, infer Write> ? Write : Written
export type Value<F> = F extends Field<infer V, boolean, FieldUse> ? V : never

/** A row as operations see it, including hidden columns: flags are booleans, and JSON columns are parsed. */
export type Row<N> = { id: string; account_id: string; created_at: string; updated_at: string } & {
  [Key in keyof DeclaredOf<N> as UseOf<DeclaredOf<N>[Key]> extends 'derived' ? never : Key]: Value<DeclaredOf<N>[Key]>
} & { [Key in keyof HiddenOf<N>]: Value<HiddenOf<N>[Key]> }

type GivenKeys<F> = {
  [Key in keyof F]: F[Key] extends Field<unknown, infer Given, FieldUse> ? (Given extends true ? Key : never) : never
}[keyof F]

type NullableKeys<F> = { [Key in keyof F]: null extends Value<F[Key]> ? Key : never }[keyof F]

/** The values of an insert. Absent fields become null; hidden columns are required unless they are nullable or have a default. */
export type NewRow<N> = Partial<Row<N>> & {
  [Key in Exclude<keyof HiddenOf<N>, GivenKeys<HiddenOf<N>> | NullableKeys<HiddenOf<N>>>]: Value<HiddenOf<N>[Key]>
}

/** The input of a create's rule: required fields and those with a default are always present. */
export type CreateInput<N> = { [Key in keyof DeclaredOf<N> & GivenKeys<DeclaredOf<N>>]: Value<DeclaredOf<N>[Key]> } & {
  [Key in Exclude<keyof DeclaredOf<N>, GivenKeys<DeclaredOf<N>>>]?: Value<DeclaredOf<N>[Key]>
}

/** The input of an update's rule: only the fields that the body named. */
export type Changes<N> = { [Key in keyof DeclaredOf<N>]?: Value<DeclaredOf<N>[Key]> }

/** The input of an action's rule. */
export type InputOf<F extends Fields> = {
  [Key in keyof F as F[Key] extends Field<unknown, true, FieldUse> ? Key : never]: Value<F[Key]>
} & {
  [Key in keyof F as F[Key] extends Field<unknown, true, FieldUse> ? never : Key]?: Value<F[Key]>
}

/** The fields that bodies of this mode may name. */
export type Writable<N, Mode extends 'create' | 'update'> = {
  [Key in keyof DeclaredOf<N> as WriteOf<DeclaredOf<N>[Key]> extends 'always' | Mode ? Key : never]: DeclaredOf<N>[Key]
}

/** The result of a custom rule: a row if the noun is stored, otherwise every field, because a forgotten one would become null. */
export type AnswerOf<N> = TraitsOf<N>['stored'] extends true
  ? Row<N> & Changes<N>
  : { [Key in keyof DeclaredOf<N>]: Value<DeclaredOf<N>[Key]> }

export type EventOf<N> = N extends Noun<string, Fields, Fields, infer E> ? E[number] : never
