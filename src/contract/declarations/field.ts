import type { z } from 'zod'
import type { JsonSchema } from '../values/json.ts'

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'

/** `stored` has a column of the same name; `derived` is computed when shown; `input` is stored but never shown. */
export type FieldUse = 'stored' | 'derived' | 'input'

/** A relation to other resources: an id, a list of ids, or a collection loaded by the owner's id. */
export interface Relation {
  noun: string
  kind: 'one' | 'many' | 'collection'
  /** Set when the reference holds the slug instead of the id, unless expanded. */
  collapsedTo?: 'slug'
  /** The collection is omitted unless it is expanded. */
  onlyExpanded?: boolean
  expandable: boolean
}

/** The operations whose bodies may name the field. */
export type Written = 'always' | 'create' | 'update' | 'never'

/** Type-level only: the noun a field refers to, the kind of relation, and whether `expand` shows it. */
export interface Leads<
  Noun extends string = string,
  Kind extends Relation['kind'] = Relation['kind'],
  Expandable extends boolean = boolean,
> {
  noun: Noun
  kind: Kind
  expandable: Expandable
}

/** Type-level only: whether a value is a timestamp or a reference to other resources. */
export type Meaning = 'moment' | Leads | null

export interface FieldSpec {
  type: JsonType
  /** Checks, and may normalise, a non-null value of the right JSON type. */
  schema: z.ZodType
  /** The documented JSON Schema; derived from `schema` if absent. */
  json?: JsonSchema
  /** The documented JSON Schema of request bodies, if they accept more than responses contain. */
  writtenJson?: JsonSchema
  /** The description, without its unit and without a full stop at the end. */
  description: string
  /** The unit of a number or the notation of a text: `days`, `minor units`. */
  unit?: string | undefined
  /** The meaning of null in a nullable field, such as `no limit`. */
  nullMeans?: string
  example: unknown
  nullable: boolean
  required: boolean
  fallback?: unknown
  write: Written
  use: FieldUse
  /** The name in request bodies, if it differs from the one in responses. */
  input?: string
  relation?: Relation
  /** Nouns of the ids nested in the value, by key: `{ files: 'file' }`. `expand` replaces them with resources. */
  inside?: Readonly<Record<string, string>>
  /** Reports a wrong JSON type as a validation error of this field instead of `parameter_invalid`. */
  lenientType?: boolean
  /** Forms use a password input and never show the value again. */
  secret?: boolean
  /** Values are sanitised HTML. */
  rich?: boolean
  /** Values may be long, so pages of lists have fewer rows. */
  long?: boolean
  /** Values are URLs of this service, opened with GET. */
  served?: boolean
  /** Values come from another service; anything but an http or https URL becomes null. */
  foreignAddress?: boolean
}

type Expandable<M extends Meaning> = M extends Leads<infer Noun, infer Kind> ? Leads<Noun, Kind, true> : M

/**
 * A declared field. `Value` is its type in rows and responses, `Given` is true if creates always have it (required or with a
 * default), `Use` says where it is stored, `Means` what it refers to, and `Write` which bodies may name it.
 */
export class Field<
  Value = unknown,
  Given extends boolean = boolean,
  Use extends FieldUse = FieldUse,
  Means extends Meaning = Meaning,
  Write extends Written = Written,
> {
  /** Type-level only; the property does not exist at run time. */
  declare readonly types: { value: Value; given: Given; use: Use; means: Means; write: Write }
  readonly spec: FieldSpec

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  /** Creates must have it, and updates cannot clear it. */
  required(): Field<Value, true, Use, Means, Write> {
    return this.with({ required: true })
  }

  /** Creates may omit it, and it has no default. */
  optional(): Field<Value, false, Use, Means, Write> {
    return this.with({ required: false, fallback: undefined })
  }

  /** Allows null, which clears the value. `nullMeans` says what null means: `no limit`. */
  nullable(nullMeans?: string): Field<Value | null, Given, Use, Means, Write> {
    return this.with({ nullable: true, ...(nullMeans !== undefined && { nullMeans }) })
  }

  /** Sets the value that creates store when the field is absent. */
  default(fallback: Value): Field<Value, true, Use, Means, Write> {
    return this.with({ fallback })
  }

  /** Only creates may set it. */
  createOnly(): Field<Value, Given, Use, Means, 'create'> {
    return this.with({ write: 'create' })
  }

  /** Only updates may set it. */
  updateOnly(): Field<Value, Given, Use, Means, 'update'> {
    return this.with({ write: 'update' })
  }

  /** Stored, but set by rules only. */
  readOnly(): Field<Value, Given, Use, Means, 'never'> {
    return this.with({ write: 'never' })
  }

  /** Computed when the resource is shown. */
  derived(): Field<Value, Given, 'derived', Means, 'never'> {
    return this.with({ write: 'never', use: 'derived' })
  }

  /** Accepted in request bodies, but not a column of the resource: its code stores the value in a separate table. */
  linked(): Field<Value, Given, 'derived', Means, Write> {
    return this.with({ use: 'derived' })
  }

  /** Accepted in bodies and stored, but never shown. */
  inputOnly(): Field<Value, Given, 'input', Means, Write> {
    return this.with({ use: 'input' })
  }

  /** Sets the name in request bodies; the name in responses is accepted as well. */
  writtenAs(input: string): Field<Value, Given, Use, Means, Write> {
    return this.with({ input })
  }

  /** Reports a wrong JSON type as a validation error of the field. */
  lenient(): Field<Value, Given, Use, Means, Write> {
    return this.with({ lenientType: true })
  }

  /** Forms hide the typed value. */
  secret(): Field<Value, Given, Use, Means, Write> {
    return this.with({ secret: true })
  }

  /** Declares a URL from another service; anything but an http or https URL becomes null. */
  foreign(): Field<Value, Given, Use, Means, Write> {
    return this.with({ foreignAddress: true })
  }

  /** Values may be long, so pages of lists have fewer rows. */
  long(): Field<Value, Given, Use, Means, Write> {
    return this.with({ long: true })
  }

  /** Allows `expand` to replace the ids with whole resources. */
  expandable(): Field<Value, Given, Use, Expandable<Means>, Write> {
    return this.with({ relation: { ...this.spec.relation!, expandable: true } })
  }

  /** Declares the nouns of ids nested in the value, by key: `{ files: 'file' }`. */
  holding(inside: Readonly<Record<string, string>>): Field<Value, Given, Use, Means, Write> {
    return this.with({ inside })
  }

  private with<V, G extends boolean, U extends FieldUse, M extends Meaning, W extends Written>(
    change: Partial<FieldSpec>,
  ): Field<V, G, U, M, W> {
    return new Field<V, G, U, M, W>({ ...this.spec, ...change })
  }
}

export type Fields = Record<string, Field>

/** Ids of one noun. */
export type Reference<Value, Noun extends string, Kind extends 'one' | 'many'> = Field<
  Value,
  false,
  'stored',
  Leads<Noun, Kind, false>,
  'always'
>

/** Resources of one noun, as whole objects. */
export type Collection<Noun extends string, OnlyExpanded extends boolean> = Field<
  unknown[],
  false,
  'derived',
  Leads<Noun, 'collection', OnlyExpanded>,
  'never'
>
