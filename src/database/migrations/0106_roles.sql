-- The role that a token is limited to; null for all that its user's role allows.
alter table api_tokens add column role_name text;
-- What people may refund on one order whose role limits them, as JSON: amounts by currency.
alter table accounts add column refund_limits text not null default '{}';
-- 1 where it was made within these limits, which count all of these refunds of an order together.
alter table refunds add column within_limit integer not null default 0;
