import type { Row } from '../contract/declarations/noun.ts'

/** The result of a create that found an existing resource, so that the response is a 200 instead of a 201. */
export class Existing<N> {
  readonly row: Row<N>

  constructor(row: Row<N>) {
    this.row = row
  }
}
