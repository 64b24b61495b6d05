-- The discount of a checkout as it was when its payment began: a subscription starts with these terms.
alter table checkouts add column discount_terms text;
