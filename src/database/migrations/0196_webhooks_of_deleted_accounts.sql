-- The payment connections of a deleted account whose webhook endpoints are left to end at their providers, as JSON.
alter table account_deletions add column payment_webhooks text;
