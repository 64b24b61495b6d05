import type { Row } from '../contract/declarations/noun.ts'

/** What a create returns when the thing was there already: it answers 200 instead of 201. */
export class Existing<N> {
  readonly row: Row<N>

  constructor(row: Row<N>) {
    this.row = row
  }
}
