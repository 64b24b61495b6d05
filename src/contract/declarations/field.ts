import type { z } from 'zod'
import type { JsonSchema } from '../values/json.ts'

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'

/** `stored` has a column of its name; `derived` is computed when shown; `input` is taken and stored but not shown. */
export type FieldUse = 'stored' | 'derived' | 'input'

/** How a field leads to other resources: by an id, by a list of ids, or as a list that is loaded by the owner's id. */
export interface Relation {
  noun: string
  kind: 'one' | 'many' | 'collection'
  /** What a collapsed reference holds where that is not the id. */
  collapsedTo?: 'slug'
  /** A collection that is left out unless expanded. */
  onlyExpanded?: boolean
  expandable: boolean
}

/** When a body may name a field. */
export type Written = 'always' | 'create' | 'update' | 'never'

/** Types only: which noun a field leads to, how, and whether `expand` can show it. */
export interface Leads<
  Noun extends string = string,
  Kind extends Relation['kind'] = Relation['kind'],
  Expandable extends boolean = boolean,
> {
  noun: Noun
  kind: Kind
  expandable: Expandable
}

/** What a value is beyond its type: a moment, or ids of other resources. */
export type Meaning = 'moment' | Leads | null

export interface FieldSpec {
  type: JsonType
  /** Checks, and may normalise, a value that is present, not null, and of the right JSON type. */
  schema: z.ZodType
  /** The JSON Schema shown in the documents; taken from `schema` when absent. */
  json?: JsonSchema
  /** As `json`, for bodies, where they may hold more than answers do. */
  writtenJson?: JsonSchema
  /** What it means, without its unit and without a full stop at its end. */
  description: string
  /** What a number counts, or what a text is written in: `days`, `minor units`. */
  unit?: string | undefined
  /** What null says where it may be null: `no limit`. */
  nullMeans?: string
  example: unknown
  nullable: boolean
  required: boolean
  fallback?: unknown
  write: Written
  use: FieldUse
  /** Its name in request bodies where that differs from its name in answers. */
  input?: string
  relation?: Relation
  /** Resources whose ids lists inside of its value hold, by their keys: `{ files: 'file' }`. `expand` shows them whole. */
  inside?: Readonly<Record<string, string>>
  /** A value of the wrong JSON type is a validation error of this field rather than `parameter_invalid`. */
  lenientType?: boolean
  /** Its values are typed unseen, and no form shows them again. */
  secret?: boolean
  /** Its values are HTML that is safe to show. */
  rich?: boolean
  /** Its values may be long, so pages of them have fewer rows. */
  long?: boolean
  /** Its values are addresses of this service that are opened with GET. */
  served?: boolean
  /** Its values come from another service. A value that is not the address of a web page is null. */
  foreignAddress?: boolean
}

type Expandable<M extends Meaning> = M extends Leads<infer Noun, infer Kind> ? Leads<Noun, Kind, true> : M

/**
 * One declared field: what is shown, what may be written, and what it means. `Value` is its type in rows and answers,
 * `Given` whether a create always has it (required or with a default), `Use` where it lives, `Means` what it leads to,
 * `Write` when bodies may name it.
 */
export class Field<
  Value = unknown,
  Given extends boolean = boolean,
  Use extends FieldUse = FieldUse,
  Means extends Meaning = Meaning,
  Write extends Written = Written,
> {
  /** Types only; there is no such property at run time. */
  declare readonly types: { value: Value; given: Given; use: Use; means: Means; write: Write }
  readonly spec: FieldSpec

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  /** A create must have it, and an update cannot clear it. */
  required(): Field<Value, true, Use, Means, Write> {
    return this.with({ required: true })
  }

  /** Need not be given, and has no default. */
  optional(): Field<Value, false, Use, Means, Write> {
    return this.with({ required: false, fallback: undefined })
  }

  /** May be null, which also clears it. `nullMeans` says what null means: `no limit`. */
  nullable(nullMeans?: string): Field<Value | null, Given, Use, Means, Write> {
    return this.with({ nullable: true, ...(nullMeans !== undefined && { nullMeans }) })
  }

  /** What a create stores when the field is absent. */
  default(fallback: Value): Field<Value, true, Use, Means, Write> {
    return this.with({ fallback })
  }

  /** Cannot be changed after the create. */
  createOnly(): Field<Value, Given, Use, Means, 'create'> {
    return this.with({ write: 'create' })
  }

  /** Cannot be given to the create. */
  updateOnly(): Field<Value, Given, Use, Means, 'update'> {
    return this.with({ write: 'update' })
  }

  /** Stored, set by rules alone. */
  readOnly(): Field<Value, Given, Use, Means, 'never'> {
    return this.with({ write: 'never' })
  }

  /** Computed whenever the resource is shown. */
  derived(): Field<Value, Given, 'derived', Means, 'never'> {
    return this.with({ write: 'never', use: 'derived' })
  }

  /** Written through bodies, kept in a table of its own by the resource's rules. */
  linked(): Field<Value, Given, 'derived', Means, Write> {
    return this.with({ use: 'derived' })
  }

  /** Accepted in bodies and stored, never shown. */
  inputOnly(): Field<Value, Given, 'input', Means, Write> {
    return this.with({ use: 'input' })
  }

  /** Its name in request bodies; the name in answers is accepted too. */
  writtenAs(input: string): Field<Value, Given, Use, Means, Write> {
    return this.with({ input })
  }

  /** A value of the wrong JSON type is reported as a validation error of the field. */
  lenient(): Field<Value, Given, Use, Means, Write> {
    return this.with({ lenientType: true })
  }

  /** Forms hide what is typed. */
  secret(): Field<Value, Given, Use, Means, Write> {
    return this.with({ secret: true })
  }

  /** An address that comes from another service: null unless it leads to a web page. */
  foreign(): Field<Value, Given, Use, Means, Write> {
    return this.with({ foreignAddress: true })
  }

  /** A page has fewer rows where its values are long. */
  long(): Field<Value, Given, Use, Means, Write> {
    return this.with({ long: true })
  }

  /** `expand` shows the whole resources in place of their ids. */
  expandable(): Field<Value, Given, Use, Expandable<Means>, Write> {
    return this.with({ relation: { ...this.spec.relation!, expandable: true } })
  }

  /** Lists inside of its value hold ids, by their keys: `{ files: 'file' }`. */
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

/** Of one noun or several, by their ids. */
export type Reference<Value, Noun extends string, Kind extends 'one' | 'many'> = Field<
  Value,
  false,
  'stored',
  Leads<Noun, Kind, false>,
  'always'
>

/** Of one noun, as whole objects. */
export type Collection<Noun extends string, OnlyExpanded extends boolean> = Field<
  unknown[],
  false,
  'derived',
  Leads<Noun, 'collection', OnlyExpanded>,
  'never'
>
