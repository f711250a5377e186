"""Functions of NumPy by one line each."""
import numpy as np
def p(*a): print(*a)
def t(f):
    try:
        r=f()
        if isinstance(r,tuple): print([x.tolist() if hasattr(x,'tolist') else x for x in r])
        else: print(r.tolist() if hasattr(r,'tolist') else r)
    except Exception as e: print('ERR',type(e).__name__,str(e)[:150])
x=np.arange(12).reshape(3,4)
L=[lambda:np.tri(3,4,1),lambda:np.tril_indices(3,-1),lambda:np.triu_indices(3,1),lambda:np.triu_indices_from(np.zeros((2,3))),lambda:np.tril_indices(3,0,4),lambda:np.mask_indices(3,np.triu,1),lambda:np.diag_indices(3),
lambda:np.vander([1,2,3],3),lambda:np.vander([1,2,3],increasing=True),
lambda:np.flatnonzero(x>5),lambda:np.choose([0,1,0],[[1,2,3],[4,5,6]]),lambda:np.compress([True,False,True],x,axis=0),lambda:x.compress([0,1,1],axis=0),lambda:np.trim_zeros(np.array([0,0,1,2,0])),lambda:np.ediff1d([1,4,9],to_begin=0),
lambda:[a.tolist() for a in np.vsplit(x,3)],lambda:[a.tolist() for a in np.hsplit(x,2)],lambda:[a.tolist() for a in np.hsplit(x,[1,3])],lambda:np.unstack(x),lambda:np.apply_over_axes(np.sum,x,[0,1]),
lambda:np.nanprod([1,2,np.nan]),lambda:np.nancumsum([1,np.nan,2]),lambda:np.nanargmax([1,np.nan,5]),lambda:np.nanargmin([[3,np.nan],[1,0]],axis=1),lambda:np.nanvar([1,2,np.nan]),lambda:np.nanpercentile([1,2,np.nan,4],50),lambda:np.nanquantile([[1,2,np.nan],[4,5,6]],0.5,axis=1),
lambda:np.fmin([1,np.nan],[np.nan,2]),lambda:np.fmax([1,np.nan],3),lambda:np.ldexp(1.5,3),lambda:np.logaddexp2([1.,2.],1.),lambda:np.isposinf([np.inf,-np.inf]),lambda:np.isneginf([np.inf,-np.inf]),lambda:np.fix([-1.5,2.7]),lambda:np.bitwise_count(np.array([7,8])),lambda:np.round(np.kaiser(5,2.0),12),lambda:np.round(np.i0([0.,1.,3.]),12),lambda:np.real_if_close([1+0j,2]),
lambda:np.vecdot([[1,2],[3,4]],[1,1]),lambda:np.matvec([[1,2],[3,4]],[1,1]),lambda:np.correlate([1,2,3],[0,1,.5]),lambda:np.correlate([1,2,3],[0,1,.5],"same"),lambda:np.packbits([1,0,1,0,0,0,0,1,1]),lambda:np.unpackbits(np.array([5],dtype=np.uint8)),lambda:np.base_repr(255,16),lambda:np.binary_repr(5,8),lambda:np.binary_repr(-3,8),
lambda:np.poly1d([1,2,3])(2),lambda:(np.poly1d([1,2])*np.poly1d([1,3])).coeffs,lambda:np.polyadd([1,2],[3,4,5]),lambda:np.polyder([1,2,3]),lambda:np.polyint([2.,2.]),lambda:np.polydiv([1.,3.,2.],[1.,1.]),lambda:np.poly([1,2]),lambda:np.round(np.roots([1,-3,2]),6),
lambda:(np.matrix([[1,2],[3,4]])*np.matrix([[1],[1]])),lambda:np.matrix('1 2; 3 4').T,lambda:np.asmatrix(x).shape,
lambda:np.array_equiv([1,2],[[1,2],[1,2]]),lambda:np.common_type(np.zeros(2,np.float32)).__name__,lambda:np.isdtype(np.float32,'real floating'),lambda:np.unique_counts([1,1,2]),
lambda:np.histogramdd(np.array([[0.,0.],[1.,1.],[.2,.9]]),2)[0],lambda:np.histogram_bin_edges([1,2,3],2),
lambda:np.char.upper(['ab','c']),lambda:np.char.add(['a','b'],['c','d']),lambda:np.char.startswith(['ab','c'],'a'),lambda:np.strings.str_len(['ab','c']),lambda:np.char.replace(['aa','ba'],'a','x'),
lambda:np.add.reduce(x),lambda:np.add.reduce(x,axis=None),lambda:np.multiply.reduce(x,axis=1),lambda:np.maximum.reduce(x),lambda:np.logical_or.reduce(x>3),lambda:np.bitwise_or.reduce([1,2,4]),lambda:np.subtract.accumulate([1,2,3]),lambda:np.add.accumulate(x),lambda:np.add.reduceat(np.arange(8),[0,4,1,5]),
lambda:np.divmod(x,5),lambda:divmod(x,5),lambda:x<<1,lambda:1<<np.arange(3),lambda:+x,lambda:x.mT,lambda:np.array([1+2j]).imag,lambda:np.array([1+2j]).real,lambda:np.array([1.,2.]).imag,
lambda:x.flat[5],lambda:[int(v) for v in x.flat][:3],lambda:np.dsplit(np.arange(8).reshape(2,2,2),2)[0],
]
for f in L: t(f)
a=np.zeros(3); np.add.at(a,[0,0,2],1); p(a)
a=np.zeros((2,2)); np.add.at(a,([0,0],[1,1]),[1,2]); p(a)
a=np.zeros((3,3)); np.fill_diagonal(a,5); p(a)
a=np.arange(5); np.put(a,[0,4],[9,8]); p(a); np.place(a,a>5,[1,2]); p(a); np.putmask(a,a>1,[7,6,5,4,3]); p(a); a.put([0],[3]); p(a)
a=np.arange(4.); b=np.empty(4); np.sqrt(a,out=b); p(b); np.add(a,1,out=a); p(a); p(np.add(a,b,where=[True,False,True,False],out=a))
x.flat[2]=100; p(x); a=np.array([3,1,2]); a.resize((2,2),refcheck=False); p(a)
p(np.ndarray[tuple,np.dtype] is not None, np.typecodes['AllFloat'], isinstance(np.True_,np.bool_))
points, weights = np.polynomial.hermite.hermgauss(7)
print((np.round(points, 12) + 0.0).tolist(), np.round(weights, 12).tolist())
print(np.float32(np.arange(3)), np.uint8(np.array([1.7, 300.2]) % 256), np.float64([1, 2]).dtype, np.int64("7"), np.bool_([0, 1]))
print(np.float32(np.ones((2, 2))).dtype, float(np.float32(2.5)), int(np.int64(3)), np.float64("1e3"))
# parameters by name, where the rest decides nothing
print(np.random.laplace(scale=0.0, size=3), np.random.lognormal(sigma=0.0), np.random.gumbel(scale=0, loc=5.0))
print(np.random.hypergeometric(ngood=3, nbad=0, nsample=2), np.random.default_rng(0).binomial(p=1.0, n=4, size=(1, 2)))
print(np.random.f(dfnum=2, dfden=3, size=(2, 2)).shape, np.random.gamma(2.0, size=2).shape, np.random.poisson(0, 3))
for wrong in (lambda: np.random.standard_t(), lambda: np.random.poisson(rate=3)):
    try:
        wrong()
    except TypeError:
        print("TypeError")
print(np.isnat(np.datetime64("NaT")), np.isnat(np.datetime64("2020-01-02")), np.timedelta64(2, "ms").item())
