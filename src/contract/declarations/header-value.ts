import { z } from 'zod'
import { Field, type FieldUse, type Meaning, type Written } from './field.ts'

/** Line breaks of every kind, and the other control characters. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** A field whose value becomes a header of an e-mail: a line break would begin another header, so it is refused, not trimmed. */
export function headerValue<
  Value,
  Given extends boolean,
  Use extends FieldUse,
  Means extends Meaning,
  Write extends Written,
>({ spec }: Field<Value, Given, Use, Means, Write>): Field<Value, Given, Use, Means, Write> {
  const message = 'must not contain line breaks or other control characters'
  const oneLine = z.unknown().refine((value) => !CONTROL.test(String(value)), { error: message, abort: true })
  return new Field({ ...spec, schema: oneLine.pipe(spec.schema) })
}
