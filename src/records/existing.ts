import type { Row } from '../contract/declarations/noun.ts'

/** Returned by a create that found the resource already there, so that the response is a 200 instead of a 201. */
export class Existing<N> {
  readonly row: Row<N>

  constructor(row: Row<N>) {
    this.row = row
  }
}
