from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    if n:
     if n:
      if n:
       if n:
        if n:
         if n:
          if n:
           if n:
            if n:
             if n:
              if n:
               if n:
                if n:
                 if n:
                  if n:
                   if n:
                    if n:
                     if n:
                      if n:
                       if n:
                        if n:
                         if n:
                          if n:
                           if n:
                            if n:
                             if n:
                              if n:
                               if n:
                                if n:
                                 if n:
                                  if n:
                                   if n:
                                    if n:
                                     if n:
                                      if n:
                                       if n:
                                        if n:
                                         if n:
                                          if n:
                                           if n:
                                            if n:
                                             if n:
                                              if n:
                                               if n:
                                                if n:
                                                 if n:
                                                  if n:
                                                   if n:
                                                    if n:
                                                     if n:
                                                      if n:
                                                       if n:
                                                        if n:
                                                         if n:
                                                          if n:
                                                           if n:
                                                            if n:
                                                             if n:
                                                              if n:
                                                               if n:
                                                                if n:
                                                                 if n:
                                                                  if n:
                                                                   if n:
                                                                    if n:
                                                                     if n:
                                                                      if n:
                                                                       if n:
                                                                        if n:
                                                                         if n:
                                                                          if n:
                                                                           if n:
                                                                            if n:
                                                                             if n:
                                                                              if n:
                                                                               if n:
                                                                                if n:
                                                                                 if n:
                                                                                  if n:
                                                                                   if n:
                                                                                    if n:
                                                                                     if n:
                                                                                      if n:
                                                                                       if n:
                                                                                        if n:
                                                                                         if n:
                                                                                          if n:
                                                                                           if n:
                                                                                            if n:
                                                                                             if n:
                                                                                              if n:
                                                                                               if n:
                                                                                                if n:
                                                                                                 if n:
                                                                                                  if n:
                                                                                                   if n:
                                                                                                    if n:
                                                                                                     if n:
                                                                                                      if n:
                                                                                                       if n:
                                                                                                        if n:
                                                                                                         if n:
                                                                                                          if n:
                                                                                                           x[0] = 1

#= too_many_indents.py:106:1: error: more than 100 levels of indentation [too-many-indents]
#=   106 |                                                                                                         if n:
#=       | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= too_many_indents.py:106:1: error: expected an indented block after `if` [expected-block]
#=   106 |                                                                                                         if n:
#=       | ^
