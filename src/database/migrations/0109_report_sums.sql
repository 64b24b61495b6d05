-- What reports sum, so that they read no row whole.
drop index orders_by_payment;
create index orders_by_payment on orders (
  account_id, paid_at, currency, channel, country, previous_paid_at,
  amount, amount_discount, amount_refunded, amount_tax, amount_tax_refunded
) where paid_at is not null;
drop index order_items_by_payment;
create index order_items_by_payment on order_items (
  account_id, paid_at, currency, product, price_variant, quantity,
  amount, amount_discount, amount_refunded, amount_tax, amount_tax_refunded, "order"
) where paid_at is not null;
