import { z } from 'zod'
import { Field, type Fields, type FieldUse } from './field.ts'
import { idPattern } from './ids.ts'
import { timestamp } from './kinds.ts'

/** States and the actions that each state permits: `{ active: ['pause', 'cancel'], canceled: [] }`. */
export type StateTable = Record<string, readonly string[]>

export interface NounDeclaration<F extends Fields> {
  /** Without the underscore: `prod`. */
  prefix: string
  /** In paths and as the table's name; the name with an `s` when absent. */
  plural?: string
  /** The group in the catalogue. */
  tag: string
  description: string
  /** Addressable by slug wherever an id is. */
  slug?: boolean
  /** Has no `updated_at`. */
  immutable?: boolean
  /** Fields whose words a list's `query` looks through, kept in lower case in the column `search_text`. */
  searchable?: readonly (keyof F & string)[]
  fields: F
  states?: StateTable
  /** Event types without the resource's name: `created`. */
  events?: readonly string[]
  /** Values of its example in the documents where those of the fields would contradict each other. */
  example?: { readonly [Key in keyof F]?: unknown }
}

/** What the shop has: its name, its fields, its states. Everything that shows or stores a resource is derived from it. */
export interface Noun<Name extends string = string, F extends Fields = Fields> {
  name: Name
  plural: string
  prefix: string
  tag: string
  description: string
  slug: boolean
  immutable: boolean
  searchable: readonly string[]
  /** The declared fields with `id`, `object`, `created_at` and `updated_at`, in the order of answers. */
  fields: Fields
  states: StateTable | null
  events: readonly string[]
  example: Readonly<Record<string, unknown>>
  isId(value: string): boolean
  /** Types only. */
  readonly declared?: F
}

export function noun<const Name extends string, F extends Fields>(
  name: Name,
  declaration: NounDeclaration<F>,
): Noun<Name, F> {
  const { prefix, immutable = false, states = null } = declaration
  const pattern = idPattern(prefix)
  return {
    name,
    plural: declaration.plural ?? `${name}s`,
    prefix,
    tag: declaration.tag,
    description: declaration.description,
    slug: declaration.slug ?? false,
    immutable,
    searchable: declaration.searchable ?? [],
    fields: {
      id: idField(name, prefix),
      object: fixed(name),
      ...declaration.fields,
      ...(states && { allowed_actions: allowedActions() }),
      created_at: timestamp('When it was created').readOnly(),
      ...(!immutable && { updated_at: timestamp('When it last changed').readOnly() }),
    },
    states,
    events: declaration.events ?? [],
    example: declaration.example ?? {},
    isId: (value) => pattern.test(value),
  }
}

/** The field a body may write under `input`, whichever of its two names was used. */
export function inputName(name: string, field: Field): string {
  return field.spec.input ?? name
}

function idField(name: string, prefix: string): Field {
  return readOnly(
    'string',
    z.string().regex(idPattern(prefix)),
    `Id of the ${name.replaceAll('_', ' ')}`,
    exampleId(prefix),
  )
}

function fixed(name: string): Field {
  return new Field({ ...readOnly('string', z.literal(name), 'The type of this object', name).spec, use: 'derived' })
}

function allowedActions(): Field {
  const schema = z.array(z.string())
  return new Field({ ...readOnly('array', schema, 'What can be done in the present state', []).spec, use: 'derived' })
}

function readOnly(type: 'string' | 'array', schema: z.ZodType, description: string, example: unknown): Field {
  return new Field({
    type,
    schema,
    description,
    example,
    nullable: false,
    required: false,
    write: 'never',
    use: 'stored',
  })
}

/** An id of the right form, the same in every document. */
export function exampleId(prefix: string): string {
  return `${prefix}_01k9z6v8q2f3x7c5m1n4b0r8ta`
}

type DeclaredOf<N> = N extends Noun<string, infer F> ? F : never
type UseOf<F> = F extends Field<unknown, boolean, infer Use> ? Use : FieldUse
type Value<F> = F extends Field<infer V, boolean, FieldUse> ? V : never

/** A stored row, decoded: booleans are booleans, JSON columns are values. */
export type Row<N> = { id: string; account_id: string; created_at: string; updated_at: string } & {
  [Key in keyof DeclaredOf<N> as UseOf<DeclaredOf<N>[Key]> extends 'derived' ? never : Key]: Value<DeclaredOf<N>[Key]>
}

type GivenKeys<F> = {
  [Key in keyof F]: F[Key] extends Field<unknown, infer Given, FieldUse> ? (Given extends true ? Key : never) : never
}[keyof F]

/** What a create's rule receives: required fields and those with a default are always there. */
export type CreateInput<N> = { [Key in keyof DeclaredOf<N> & GivenKeys<DeclaredOf<N>>]: Value<DeclaredOf<N>[Key]> } & {
  [Key in Exclude<keyof DeclaredOf<N>, GivenKeys<DeclaredOf<N>>>]?: Value<DeclaredOf<N>[Key]>
}

/** What an update's rule receives: the fields that the body named. */
export type Changes<N> = { [Key in keyof DeclaredOf<N>]?: Value<DeclaredOf<N>[Key]> }

/** What an action's rule receives for its declared body. */
export type InputOf<F extends Fields> = {
  [Key in keyof F as F[Key] extends Field<unknown, true, FieldUse> ? Key : never]: Value<F[Key]>
} & {
  [Key in keyof F as F[Key] extends Field<unknown, true, FieldUse> ? never : Key]?: Value<F[Key]>
}
