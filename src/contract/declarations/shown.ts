import type { Leads } from './field.ts'
import type { DeclaredOf, MeaningOf, Noun, TraitsOf, UseOf, Value } from './noun.ts'

/** Flattens intersections, so that compiler messages list the fields. */
type Flat<T> = { [Key in keyof T]: T[Key] }

type NameOf<N> = N extends Noun<infer Name> ? Name : never

export type ExpandableOf<N> = {
  [Key in keyof DeclaredOf<N>]: MeaningOf<DeclaredOf<N>[Key]> extends Leads<string, infer Kind, infer Expandable>
    ? true extends Expandable | ('collection' extends Kind ? true : false)
      ? Key
      : never
    : never
}[keyof DeclaredOf<N>] &
  string

type OnlyExpanded<N> = {
  [Key in keyof DeclaredOf<N>]: MeaningOf<DeclaredOf<N>[Key]> extends Leads<string, 'collection', true> ? Key : never
}[keyof DeclaredOf<N>] &
  string

type ShownFields<N> = {
  [Key in keyof DeclaredOf<N>]: UseOf<DeclaredOf<N>[Key]> extends 'input' ? never : Key
}[keyof DeclaredOf<N>] &
  string

type CommonFields<N> = TraitsOf<N>['stored'] extends true
  ? { id: string; object: NameOf<N>; created_at: string } & (TraitsOf<N>['immutable'] extends true
      ? unknown
      : { updated_at: string }) &
      ([TraitsOf<N>['action']] extends [never] ? unknown : { allowed_actions: TraitsOf<N>['action'][] })
  : { object?: NameOf<N> }

type RelatedResource<Nouns, Name> = Name extends keyof Nouns ? ShownOf<Nouns, Nouns[Name]> : never

/** A field's value in responses: ids, or whole resources if expanded. A boolean `Expanded` means either. */
type ShownValue<Nouns, F, Expanded extends boolean> =
  MeaningOf<F> extends Leads<infer Name, infer Kind>
    ? Kind extends 'collection'
      ? RelatedResource<Nouns, Name>[]
      : Kind extends 'many'
        ? Expanded extends true
          ? RelatedResource<Nouns, Name>[]
          : Value<F>
        : Expanded extends true
          ? RelatedResource<Nouns, Name> | Extract<Value<F>, null>
          : Value<F>
    : Value<F>

/**
 * A resource in a response. Relations in `Expanded` are whole resources, those in `Perhaps` may be whole or ids, and others are ids.
 * Related nouns are looked up by name in `Nouns`.
 */
export type ShownOf<Nouns, N, Expanded extends string = never, Perhaps extends string = never> = Flat<
  CommonFields<N> & {
    [Key in ShownFields<N> as Key extends Exclude<OnlyExpanded<N>, Expanded> ? never : Key]: ShownValue<
      Nouns,
      DeclaredOf<N>[Key],
      Key extends Expanded ? true : Key extends Perhaps ? boolean : false
    >
  } & {
    [Key in OnlyExpanded<N> as Key extends Exclude<Perhaps, Expanded> ? Key : never]?: ShownValue<
      Nouns,
      DeclaredOf<N>[Key],
      true
    >
  }
>
