/** Columns of whole products. Each row of a product has them, but only the values of its first row count. */
export const PRODUCT_COLUMNS = [
  ...['id', 'slug', 'name', 'status', 'description', 'body_html', 'button_cta', 'available_from', 'available_until'],
  ...['tax_code', 'seo_title', 'seo_description', 'metadata', 'created_at'],
] as const
export const PRICE_COLUMNS = [
  ...['price_id', 'sku', 'price_name', 'amount_type', 'amount', 'currency', 'billing_type', 'recurring_interval'],
  ...['interval_count', 'installment_count', 'setup_fee_amount', 'trial_period_days', 'revoke_after_days'],
  ...['quantity_available', 'discounted_from_amount', 'minimum_amount', 'maximum_amount', 'preset_amount'],
  ...['waitlist', 'hidden', 'archived', 'benefits'],
] as const

export const CUSTOMER_COLUMNS = [
  ...['id', 'email', 'name', 'first_name', 'last_name', 'phone_number', 'country', 'region', 'vat_id', 'tags'],
  ...['created_at', 'metadata'],
] as const

export const SUBSCRIPTION_COLUMNS = [
  ...['id', 'customer_email', 'customer_name', 'price_id', 'product_name', 'price_name', 'quantity', 'unit_amount'],
  ...['currency', 'interval', 'interval_count', 'installment_count', 'status', 'started_at', 'current_period_start'],
  ...['current_period_end', 'trial_ends_at', 'ends_at', 'canceled_at', 'cancellation_reason', 'country', 'region'],
  ...['vat_id', 'metadata', 'created_at'],
] as const

/** Columns of whole orders. Each row of an order has them, but only the values of its first row count. */
export const ORDER_COLUMNS = [
  ...['id', 'customer_email', 'customer_name', 'status', 'currency', 'amount', 'subtotal', 'amount_discount'],
  ...['amount_tax', 'tax_inclusive', 'amount_refunded', 'amount_tax_refunded', 'paid_at', 'country', 'region'],
  ...['vat_id', 'subscription', 'metadata', 'created_at'],
] as const
export const LINE_COLUMNS = [
  ...['line_price_id', 'line_sku', 'line_product_name', 'line_price_name', 'line_tax_code', 'line_quantity'],
  ...['line_unit_amount', 'line_setup_fee_amount', 'line_amount', 'line_amount_discount', 'line_amount_tax'],
  ...['line_amount_refunded', 'line_amount_tax_refunded'],
] as const
