import type { z } from 'zod'
import type { JsonSchema } from '../values/json.ts'

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'

/** `stored` fields have a column of the same name, `derived` ones are computed, and `input` ones are stored but never shown. */
export type FieldUse = 'stored' | 'derived' | 'input'

/** A relation to other resources: an id, a list of ids, or a collection loaded by the owner's id. */
export interface Relation {
  noun: string
  kind: 'one' | 'many' | 'collection'
  /** Set if the field holds the slug of the related resource instead of its id, unless it is expanded. */
  collapsedTo?: 'slug'
  /** Set if responses contain the collection only when it is expanded. */
  onlyExpanded?: boolean
  expandable: boolean
}

export type Written = 'always' | 'create' | 'update' | 'never'

/** A compile-time type: the related noun, the kind of relation, and whether `expand` accepts the field. */
export interface Leads<
  Noun extends string = string,
  Kind extends Relation['kind'] = Relation['kind'],
  Expandable extends boolean = boolean,
> {
  noun: Noun
  kind: Kind
  expandable: Expandable
}

/** A compile-time type that says whether a value is a timestamp or a reference to other resources. */
export type Meaning = 'moment' | Leads | null

export interface FieldSpec {
  type: JsonType
  /** Checks, and may normalise, a value that is not null and has the right JSON type. */
  schema: z.ZodType
  json?: JsonSchema
  /** The documented JSON Schema of request bodies, if they accept more than responses contain. */
  writtenJson?: JsonSchema
  /** The description, without its unit and without a full stop at the end. */
  description: string
  /** The unit of a number or the notation of a text: `days`, `minor units`. */
  unit?: string | undefined
  nullMeans?: string
  example: unknown
  nullable: boolean
  required: boolean
  fallback?: unknown
  write: Written
  use: FieldUse
  /** The name in request bodies, if it differs from the name in responses. */
  input?: string
  relation?: Relation
  /** The nouns of ids that are nested in the value, by key: `{ files: 'file' }`. `expand` replaces the ids with resources. */
  inside?: Readonly<Record<string, string>>
  /** Whether a wrong JSON type is a validation error of this field instead of a `parameter_invalid`. */
  lenientType?: boolean
  secret?: boolean
  rich?: boolean
  /** Whether values may be long, so that pages of lists have fewer rows. */
  long?: boolean
  served?: boolean
  /** Whether values come from another service. Such a value becomes null unless it is an http or https URL. */
  foreignAddress?: boolean
  /** Whether buyers, visitors or other systems may write the value. Answers to programs name such fields. */
  byStrangers?: boolean
}

type Expandable<M extends Meaning> = M extends Leads<infer Noun, infer Kind> ? Leads<Noun, Kind, true> : M

/**
 * A declared field. `Value` is its type in rows and responses. `Given` is true if a created row always has a value (required or with a
 * default). `Use` says where the value is stored, `Means` what it refers to, and `Write` which bodies may name it.
 */
export class Field<
  Value = unknown,
  Given extends boolean = boolean,
  Use extends FieldUse = FieldUse,
  Means extends Meaning = Meaning,
  Write extends Written = Written,
> {
  /** Exists only as a type, not at run time. */
  declare readonly types: { value: Value; given: Given; use: Use; means: Means; write: Write }
  readonly spec: FieldSpec

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  required(): Field<Value, true, Use, Means, Write> {
    return this.with({ required: true })
  }

  optional(): Field<Value, false, Use, Means, Write> {
    return this.with({ required: false, fallback: undefined })
  }

  /** Allows null, which clears the value. `nullMeans` says what null means: `no limit`. */
  nullable(nullMeans?: string): Field<Value | null, Given, Use, Means, Write> {
    return this.with({ nullable: true, ...(nullMeans !== undefined && { nullMeans }) })
  }

  default(fallback: Value): Field<Value, true, Use, Means, Write> {
    return this.with({ fallback })
  }

  createOnly(): Field<Value, Given, Use, Means, 'create'> {
    return this.with({ write: 'create' })
  }

  updateOnly(): Field<Value, Given, Use, Means, 'update'> {
    return this.with({ write: 'update' })
  }

  /** Declares that the field is stored, but that only the code of operations sets it. */
  readOnly(): Field<Value, Given, Use, Means, 'never'> {
    return this.with({ write: 'never' })
  }

  derived(): Field<Value, Given, 'derived', Means, 'never'> {
    return this.with({ write: 'never', use: 'derived' })
  }

  /** Declares that bodies may name the field and that the operation's code stores its value in a separate table. */
  linked(): Field<Value, Given, 'derived', Means, Write> {
    return this.with({ use: 'derived' })
  }

  inputOnly(): Field<Value, Given, 'input', Means, Write> {
    return this.with({ use: 'input' })
  }

  /** Sets the field's name in request bodies; they also accept its name in responses. */
  writtenAs(input: string): Field<Value, Given, Use, Means, Write> {
    return this.with({ input })
  }

  lenient(): Field<Value, Given, Use, Means, Write> {
    return this.with({ lenientType: true })
  }

  /** Makes forms use a password input and never show a stored value. */
  secret(): Field<Value, Given, Use, Means, Write> {
    return this.with({ secret: true })
  }

  /** Declares that the value is a URL from another service; anything but an http or https URL becomes null. */
  foreign(): Field<Value, Given, Use, Means, Write> {
    return this.with({ foreignAddress: true })
  }

  /** Declares that people outside of the account's team, or other systems, may write the value. */
  byStrangers(): Field<Value, Given, Use, Means, Write> {
    return this.with({ byStrangers: true })
  }

  long(): Field<Value, Given, Use, Means, Write> {
    return this.with({ long: true })
  }

  expandable(): Field<Value, Given, Use, Expandable<Means>, Write> {
    return this.with({ relation: { ...this.spec.relation!, expandable: true } })
  }

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

export type ReadOnly<F extends Fields> = {
  [Key in keyof F]: F[Key] extends Field<infer Value, infer Given, infer Use, infer Means>
    ? Field<Value, Given, Use, Means, 'never'>
    : never
}

export type Reference<Value, Noun extends string, Kind extends 'one' | 'many'> = Field<
  Value,
  false,
  'stored',
  Leads<Noun, Kind, false>,
  'always'
>

export type Collection<Noun extends string, OnlyExpanded extends boolean> = Field<
  unknown[],
  false,
  'derived',
  Leads<Noun, 'collection', OnlyExpanded>,
  'never'
>
