import type { Noun, TraitsOf } from '../contract/declarations/noun.ts'
import type { Method } from '../contract/declarations/operation.ts'
import type { QueryOf } from './filters.ts'
import type { OperationOf } from './operation.ts'

type NoFields = Record<never, never>

export type All<N> = `/${TraitsOf<N>['plural']}`

export type One<N> = `${All<N>}/{${TraitsOf<N>['slug'] extends true ? 'id_or_slug' : 'id'}}`

type PathOf<Options, Usual extends string> = Options extends { path: infer Path extends string } ? Path : Usual

/** The fields of a request body: the usual ones, where `Body` replaces those with the same name. */
export type Replaced<Usual, Body> = Omit<Usual, keyof Body> & Body

export interface Verb<N extends Noun, M extends Method, Path extends string, Body = NoFields> {
  method: M
  path: Path
  noun: N
  answers: M extends 'DELETE' ? 'deleted' : 'one'
  query: NoFields
  body: Body
}

export type Retrieve<N extends Noun, Options> = OperationOf<Verb<N, 'GET', PathOf<Options, One<N>>>>

export type List<N extends Noun, Options extends { filters?: unknown }> = OperationOf<
  Omit<Verb<N, 'GET', PathOf<Options, All<N>>>, 'answers' | 'query'> & {
    answers: 'list'
    query: QueryOf<N, Options['filters']>
  }
>
