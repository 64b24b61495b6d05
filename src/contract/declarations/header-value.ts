import { z } from 'zod'
import { Field, type FieldUse, type Meaning, type Written } from './field.ts'

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Declares a value of an e-mail header. Line breaks are rejected, not trimmed, because they would inject another header. */
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
