"""Make the documentation: pages generated from the code, and the site.

`python docs/sitemaker pages` rewrites the generated pages, `python docs/sitemaker` builds the site
into `build/site` and `python docs/sitemaker --check` says whether a generated page is out of date.
"""
